-- Shortest paths and components: queues, sets, sorting by a comparison.

local function make(n, seed)
  local edges = {}
  for i = 1, n do edges[i] = {} end
  for _ = 1, 3 * n do
    seed = (seed * 1103515245 + 12345) % 2147483648
    local a = (seed >> 8) % n + 1
    local b = (a + (seed >> 16) % 50) % n + 1
    local weight = seed % 13 + 1
    table.insert(edges[a], { to = b, weight = weight })
    table.insert(edges[b], { to = a, weight = weight })
  end
  return edges
end

local function distances(edges, start)
  local distance, queue, head = { [start] = 0 }, { start }, 1
  local waiting = { [start] = true }
  while queue[head] do
    local node = queue[head]
    queue[head] = nil
    head = head + 1
    waiting[node] = nil
    local here = distance[node]
    for _, edge in ipairs(edges[node]) do
      local there = here + edge.weight
      local old = distance[edge.to]
      if not old or there < old then
        distance[edge.to] = there
        if not waiting[edge.to] then
          waiting[edge.to] = true
          queue[#queue + 1] = edge.to
        end
      end
    end
  end
  return distance
end

local function components(edges)
  local parent = {}
  local function find(i)
    while parent[i] ~= i do
      parent[i] = parent[parent[i]]
      i = parent[i]
    end
    return i
  end
  for i = 1, #edges do parent[i] = i end
  local list = {}
  for a, out in ipairs(edges) do
    for _, edge in ipairs(out) do
      if a < edge.to then list[#list + 1] = { a, edge.to, edge.weight } end
    end
  end
  table.sort(list, function(x, y)
    if x[3] ~= y[3] then return x[3] < y[3] end
    if x[1] ~= y[1] then return x[1] < y[1] end
    return x[2] < y[2]
  end)
  local weight = 0
  for _, edge in ipairs(list) do
    local a, b = find(edge[1]), find(edge[2])
    if a ~= b then
      parent[a] = b
      weight = weight + edge[3]
    end
  end
  return weight
end

return function(round)
  local edges = make(300, 42 + round)
  local sum = components(edges)
  for start = 1, 3 do
    for _, d in pairs(distances(edges, start)) do sum = sum + d end
  end
  return sum
end
