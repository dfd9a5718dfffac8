"""Inputs of examples/sdwan for so many sites: many-sites.py N"""

import sys

count = int(sys.argv[1])
print(f"number-of-sites: {count}\nlocations:")
for i in range(count):
    print(f"- {{ city: City {i}, latitude: 1.0, longitude: 2.0 }}")
