module example.org/@NAME@

go 1.19
