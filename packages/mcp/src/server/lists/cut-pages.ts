/** Where pages end. */
export interface PageLimits {
  readonly pageSize: number
  readonly pageBytes: number
}

/** A page is also cut here, so that one answer stays readable for everyone. */
export const defaultPageBytes = 1024 * 1024

/** Cuts a list into pages by number and by size; an item larger than a page has one to itself. */
export function cutPages(sizes: readonly number[], { pageSize, pageBytes }: PageLimits): number[] {
  const starts = [0]
  let count = 0
  let bytes = 0
  sizes.forEach((size, index) => {
    if (count > 0 && (count === pageSize || bytes + size > pageBytes)) {
      starts.push(index)
      count = 0
      bytes = 0
    }
    count += 1
    bytes += size
  })
  return starts
}
