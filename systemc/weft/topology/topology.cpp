#include "weft/topology/topology.h"
