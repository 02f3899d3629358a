/**
 * Schemas that are made when first touched.
 *
 * Making all 150 costs 50 ms, and most programs use a few of them only as names of methods. `lazy` returns a proxy that makes the Zod
 * schema with its first use and passes everything on to it. What the rest of the package has to know of a schema without making
 * it (its method, its predicate) stands beside it: see `supportedSchema`.
 */

import type * as Zod from 'zod/v4'

import { zod } from '#zod'

import { messageOf } from '../fast/messages.ts'
import type { Predicate } from '../fast/predicates.ts'

/** Facts about a schema of this package that do not need the schema. */
export interface SupportedSchema {
  /** The literal of `method`, for requests and notifications. */
  readonly method?: string | undefined
  /** Accepts values that parsing would return as they are. */
  readonly accepts?: Predicate | undefined
}

const byShape = new WeakMap<object, SupportedSchema>()

/** Returns what is known of one of this package's own schemas; `undefined` for those of programs. */
export function supportedSchema(schema: object): SupportedSchema | undefined {
  return byShape.get(schema)
}

/** Facts to keep. Requests and notifications need a predicate of their params only. */
interface About {
  readonly method?: string
  readonly params?: Predicate
  readonly accepts?: Predicate
}

function acceptsOf({ method, params, accepts }: About): Predicate | undefined {
  return method !== undefined && params !== undefined ? messageOf(method, params) : accepts
}

/** Returns a schema that `make` makes when it is first touched. */
export function lazy<T extends object>(make: (z: typeof Zod) => T, about: About = {}): T {
  let made: T | undefined
  const real = (): T => (made ??= make(zod()))
  const proxy = new Proxy({} as T, {
    get: (_target, key) => Reflect.get(real(), key) as unknown,
    set: (_target, key, value) => Reflect.set(real(), key, value),
    has: (_target, key) => Reflect.has(real(), key),
    ownKeys: () => Reflect.ownKeys(real()),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
    deleteProperty: (_target, key) => Reflect.deleteProperty(real(), key),
    defineProperty: (_target, key, descriptor) =>
      Reflect.defineProperty(real(), key, { ...descriptor, configurable: true }),
    getOwnPropertyDescriptor(_target, key) {
      const descriptor = Reflect.getOwnPropertyDescriptor(real(), key)
      // A proxy may report as fixed only what its target has.
      return descriptor && { ...descriptor, configurable: true }
    },
  })
  byShape.set(proxy, { method: about.method, accepts: acceptsOf(about) })
  return proxy
}
