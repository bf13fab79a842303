// The module of test-only bindings. CMake builds it only with LACONIC_TESTING.
#include "testing/testing.hpp"

NB_MODULE(LACONIC_MODULE, m) {
  m.doc() = "Parts of Laconic's kernels for its own tests; not part of any wheel.";
  laconic::bind_base_parts(m);
  laconic::bind_cover_parts(m);
  laconic::bind_sparse_parts(m);
}
