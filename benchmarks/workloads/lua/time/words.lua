-- A hash table of strings: how often does each word occur?

local syllables = { "ba", "ko", "ri", "tu", "se", "mo", "la", "ne" }

return function(round)
  local seed, words = 7 + round, {}
  for i = 1, 3000 do
    local word = ""
    for _ = 1, 3 do
      seed = (seed * 1103515245 + 12345) % 2147483648
      word = word .. syllables[(seed >> 16) % 5 + (seed >> 20) % 3 + 1]
    end
    words[i] = word
  end
  local frequency, distinct = {}, {}
  for _, word in ipairs(words) do
    if not frequency[word] then distinct[#distinct + 1] = word end
    frequency[word] = (frequency[word] or 0) + 1
  end
  table.sort(distinct, function(a, b)
    if frequency[a] ~= frequency[b] then return frequency[a] > frequency[b] end
    return a < b
  end)
  return #distinct .. distinct[1] .. frequency[distinct[1]]
end
