/** The parts of Cloudflare's interfaces that are used here, so that no package of theirs is needed. */

/** A value of a column. */
export type SqlValue = string | number | null | ArrayBuffer

/** The rows of an answer. */
export interface SqlRows<Row> {
  /** All of them. */
  toArray(): Row[]
}

/** The storage of one object: `ctx.storage` of a class with SQLite. */
export interface ObjectStorage {
  /** The database of the object. */
  readonly sql: {
    exec<Row extends Record<string, SqlValue>>(query: string, ...values: SqlValue[]): SqlRows<Row>
  }
  /** Runs a function as one step: if it throws, nothing was written. */
  transactionSync<Value>(work: () => Value): Value
  /** Has `alarm` of the object called at a time in milliseconds. */
  setAlarm(at: number): Promise<void>
}

/** The first argument of the constructor of an object. */
export interface ObjectContext {
  /** The storage of the object. */
  readonly storage: ObjectStorage
  /** Holds all requests back until the work is done. */
  blockConcurrencyWhile<Value>(work: () => Promise<Value>): Promise<Value>
}

/** An object that can be asked. */
export interface ObjectStub {
  /** Sends it a request. */
  fetch(request: Request): Promise<Response>
}

/** All objects of a class: a binding of a Worker. */
export interface ObjectNamespace<Id = unknown> {
  /** The id of the object with this name. */
  idFromName(name: string): Id
  /** The object with this id. */
  get(id: Id): ObjectStub
}
