-- Allocation and garbage: binary trees that come and go.

local function grow(depth)
  if depth == 0 then return {} end
  return { grow(depth - 1), grow(depth - 1) }
end

local function count(tree)
  if not tree[1] then return 1 end
  return 1 + count(tree[1]) + count(tree[2])
end

return function()
  local sum, kept = 0, grow(9)
  for depth = 4, 9 do
    for _ = 1, 2 ^ (9 - depth) do sum = sum + count(grow(depth)) end
  end
  return sum + count(kept)
end
