/**
 * Who is told of which changes of a server: sessions over HTTP that listen here, and requests that listen.
 *
 * An index by URI and by kind of list: a change costs what its followers cost, however many sessions there are. They are told in
 * turns. List changes in close succession are merged, and in a cluster also changes of one resource: each process that
 * watches it tells of the same change. What the followers do with a change is their own business.
 */
import { createSharedTimer, inTurns, type Clock, type SharedTimer } from '../rpc/clock.ts'
import { isPromise } from '../rpc/promise.ts'
import type { Definition, ServerChange } from './definition.ts'
import { mergeListChanges, type ListChanges } from './subscriptions.ts'

/** Is told of changes. */
export interface Follower {
  changed(change: ServerChange): void
}

/** In a cluster followers are told of one resource at once, then at most once in this time, and always after the last change. */
const spacingMs = 500

/** See the head of this file. */
export class Followers {
  private readonly byKey = new Map<string, Set<Follower>>()
  /** URIs that were told of a moment ago; true for those that have changed since. */
  private readonly told = new Map<string, boolean>()
  private readonly definition: Definition
  private readonly merged: ListChanges
  private readonly spacing: SharedTimer
  private isSpaced = false

  constructor(definition: Definition, clock: Clock) {
    this.definition = definition
    this.merged = mergeListChanges(clock, (change) => this.add(change))
    this.spacing = createSharedTimer(clock, spacingMs)
  }

  /** The number of keys that somebody follows. */
  get size(): number {
    return this.byKey.size
  }

  /** Several processes may tell of the same change. */
  expectRepeats(): void {
    this.isSpaced = true
  }

  follow(key: string, follower: Follower): void {
    if (this.byKey.size === 0) this.definition.listeners.add(this.merged.add)
    const followers = this.byKey.get(key)
    if (followers) followers.add(follower)
    else this.byKey.set(key, new Set([follower]))
  }

  unfollow(key: string, follower: Follower): void {
    const followers = this.byKey.get(key)
    if (!followers?.delete(follower) || followers.size > 0) return
    this.byKey.delete(key)
    if (this.byKey.size === 0) this.definition.listeners.delete(this.merged.add)
  }

  private add(change: ServerChange): void {
    if (!this.isSpaced || change.type !== 'resource') return this.tell(change)
    if (this.told.has(change.uri)) return void this.told.set(change.uri, true)
    this.tellSpaced(change.uri)
  }

  private tellSpaced(uri: string): void {
    if (!this.byKey.has(keyOf({ type: 'resource', uri }))) return
    this.told.set(uri, false)
    this.spacing.after(() => {
      const hasChanged = this.told.get(uri) === true
      this.told.delete(uri)
      if (hasChanged) this.tellSpaced(uri)
    })
    this.tell({ type: 'resource', uri })
  }

  private tell(change: ServerChange): void {
    const followers = this.byKey.get(keyOf(change))
    if (followers === undefined) return
    const { onError } = this.definition.settings
    const told = inTurns([...followers], (follower) => {
      if (!followers.has(follower)) return // it has left meanwhile
      try {
        follower.changed(change)
      } catch (error) {
        onError(error, { severity: 'error', operation: 'subscriptions' }) // the others are told
      }
    })
    if (isPromise(told)) void told
  }
}

/** The name of what has changed: a URI, or a kind of list. */
export function keyOf(change: ServerChange): string {
  return change.type === 'resource' ? `resource ${change.uri}` : change.type
}

const made = new WeakMap<Definition, WeakMap<Clock, Followers>>()

/** The followers of a server by one clock: usually there is one. */
export function followersOf(definition: Definition, clock: Clock): Followers {
  const byClock = made.get(definition) ?? new WeakMap<Clock, Followers>()
  made.set(definition, byClock)
  const followers = byClock.get(clock) ?? new Followers(definition, clock)
  byClock.set(clock, followers)
  return followers
}
