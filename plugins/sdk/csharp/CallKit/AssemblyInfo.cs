[assembly: System.Runtime.CompilerServices.InternalsVisibleTo("tests")]
