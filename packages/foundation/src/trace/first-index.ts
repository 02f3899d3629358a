/** Where the first item for which something holds stands, in a list in which it then holds for all that follow. */
export function firstIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item === undefined || holds(item)) high = middle
    else low = middle + 1
  }
  return low
}
