import { ShortLivedMap, type Listed } from '../../rpc/short-lived.ts'

/** Calls that a server works on, in the order in which they began. Not a `Set`, for the reason that `ShortLivedMap` gives. */
export class CallsInFlight<Call extends Listed> {
  private readonly calls = new ShortLivedMap<number, Call>()
  private last = 0

  get size(): number {
    return this.calls.size
  }

  add(call: Call): void {
    call.index = ++this.last
    this.calls.add(call.index, call)
  }

  delete(call: Call): void {
    this.calls.take(call.index)
  }

  [Symbol.iterator](): IterableIterator<Call> {
    return this.calls.values()
  }
}
