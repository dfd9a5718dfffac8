//===- The least a dynamically linked C++ program costs -------------------===//

#include <iostream>

int main() { std::cout << "hello, world\n"; }
