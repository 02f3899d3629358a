/** Three significant digits, with thousands separated and no exponent. */
export function metric(value) {
  if (value === undefined) return '–'
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en-US', {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  })
}

/** A whole number with thousands separated. */
export function count(value) {
  return value === undefined ? '–' : Math.round(value).toLocaleString('en-US')
}

/** ✓ for a budget met, ✗ for one missed, – for one that could not be judged. */
export function mark(holds) {
  return holds === undefined ? '–' : holds ? '✓' : '✗'
}

/** A verdict in words: `official v2 ÷ ours 8.31, at least 7 ✓`. */
export function sentence({ claim, value, bound, limit, holds }) {
  if (limit === undefined) return `${claim} ${metric(value)}`
  return `${claim} ${metric(value)}, ${bound} ${limit.toLocaleString('en-US')} ${mark(holds)}`
}
