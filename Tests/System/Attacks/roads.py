"""The client and the process of `Tests/System/Reliability` are those of the attacks, too."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "Reliability"))
