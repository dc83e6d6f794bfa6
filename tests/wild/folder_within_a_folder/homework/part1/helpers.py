from math import sqrt as root
