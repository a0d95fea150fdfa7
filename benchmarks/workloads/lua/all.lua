-- Runs all the small benchmarks beside this file: all.lua [ROUNDS]. Each returns
-- a function that does its work once and returns a value that depends on all of
-- it; the values are printed.

local here = arg[0]:match("^(.*/)") or "./"
local rounds = tonumber(arg[1]) or 1

for _, name in ipairs {
  "calls", "closures", "collatz", "nbody", "objects", "sieve", "sort",
  "strings", "trees", "words",
} do
  local work = dofile(here .. name .. ".lua")
  local result
  for round = 1, rounds do result = work(round) end
  print(name, result)
end
