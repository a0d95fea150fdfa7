-- Runs all scripts of a directory beside this file: all.lua SET [ROUNDS]. Each
-- returns a function that does its work once and returns a value that depends on
-- all of it; the values are printed. What is measured (time) and what the profile
-- comes from (train) have nothing in common but the interpreter.

local sets = {
  time = {
    "calls", "closures", "collatz", "nbody", "objects", "sieve", "sort",
    "strings", "trees", "words",
  },
  train = {
    "bigint", "graph", "json", "levenshtein", "lru", "mandelbrot", "matrix",
    "permutations", "queens", "template",
  },
}

local here = arg[0]:match("^(.*/)") or "./"
local set = arg[1]
local rounds = tonumber(arg[2]) or 1

for _, name in ipairs(sets[set]) do
  local work = dofile(here .. set .. "/" .. name .. ".lua")
  local result
  for round = 1, rounds do result = work(round) end
  print(name, result)
end
