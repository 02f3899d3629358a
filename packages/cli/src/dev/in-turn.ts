/** Does one piece of work at a time; of those that come meanwhile only the last is done after it. */
export function inTurn<T>(work: (item: T) => Promise<void>): (item: T) => void {
  let isBusy = false
  let next: { readonly item: T } | undefined

  async function run(): Promise<void> {
    isBusy = true
    while (next !== undefined) {
      const { item } = next
      next = undefined
      await work(item)
    }
    isBusy = false
  }

  return (item) => {
    next = { item }
    if (!isBusy) void run()
  }
}
