/** A length of time as people read it. */
export function formatMs(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** A time of day, to the millisecond. */
export function formatTime(at: number): string {
  const date = new Date(at)
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(
    (part) => String(part).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** A number of bytes as people read it. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

/** A time of today as such, one of another day with its date. */
export function formatMoment(at: number): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  const day = date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })
  const time = date.toLocaleTimeString(undefined, { hourCycle: 'h23' })
  return isToday ? time : `${day}, ${time}`
}
