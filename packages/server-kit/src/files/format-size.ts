const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** `12 B`, `2.93 KB` */
export function formatSize(bytes: number): string {
  if (bytes === 0) return '0 B'
  const unit = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  return unit <= 0 ? `${bytes} B` : `${(bytes / 1024 ** unit).toFixed(2)} ${units[unit]}`
}
