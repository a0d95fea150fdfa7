-- A cache that drops what was not used for longest: objects in a linked list,
-- found by keys of different types.

local Cache = {}
Cache.__index = Cache

function Cache.new(capacity)
  local first, last = {}, {}
  first.next, last.previous = last, first
  return setmetatable({
    capacity = capacity, size = 0, entries = {}, first = first, last = last,
    hits = 0, misses = 0,
  }, Cache)
end

function Cache:unlink(entry)
  entry.previous.next, entry.next.previous = entry.next, entry.previous
end

function Cache:link(entry)
  local second = self.first.next
  entry.previous, entry.next = self.first, second
  self.first.next, second.previous = entry, entry
end

function Cache:get(key, make)
  local entry = self.entries[key]
  if entry then
    self.hits = self.hits + 1
    self:unlink(entry)
  else
    self.misses = self.misses + 1
    if self.size == self.capacity then
      local oldest = self.last.previous
      self:unlink(oldest)
      self.entries[oldest.key] = nil
    else
      self.size = self.size + 1
    end
    entry = { key = key, value = make(key) }
    self.entries[key] = entry
  end
  self:link(entry)
  return entry.value
end

local function length(key) return #tostring(key) end

return function(round)
  local cache, seed, sum = Cache.new(200), round, 0
  for i = 1, 8000 do
    seed = (seed * 69069 + 1) & 0xffffffff
    local key = (seed >> 9) % 15 * ((seed >> 20) % 40)
    if key % 3 == 0 then key = "key " .. key elseif key % 7 == 0 then key = key + 0.5 end
    sum = sum + cache:get(key, length)
  end
  return string.format("%d %d %d", sum, cache.hits, cache.misses)
end
