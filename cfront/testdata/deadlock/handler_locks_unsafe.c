// expect: possible violation at , it depends on --check=deadlock
