/**
 * The part of the sandbox that runs inside the engine, beside the program: it gives the program `tools`, `args`, `console`,
 * `show` and `sleep`, and turns values into JSON.
 *
 * A program can change every built-in that both share, so this part takes what it needs before the program is read, keeps its
 * own state in objects without a prototype, and passes nothing but strings and numbers to `bridge`, which is the only way out.
 * The thread checks all of it again: a program that deceives this part deceives itself alone.
 */

/** Names of files in stack traces. */
export const guestFile = 'guest.js'
export const programFile = 'program.js'

/** Evaluates to a function that takes `bridge`, the names of tools and the arguments, and returns what the engine calls. */
export const guestSource = `(function install(bridge, namesText, argsText) {
  'use strict'
  const { parse, stringify } = JSON
  const { apply, defineProperty } = Reflect
  const { create, freeze, keys } = Object
  const toText = String
  const CapturedPromise = Promise
  const CapturedError = Error
  const isArray = Array.isArray
  const isError = CapturedError.isError
  const names = parse(namesText)
  const known = create(null)
  for (let at = 0; at < names.length; at += 1) known[names[at]] = true

  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'WeakRef', 'FinalizationRegistry', 'performance', 'gc']) {
    delete globalThis[name]
  }

  class ToolError extends CapturedError {
    get name() { return 'ToolError' }
  }
  class DeniedError extends ToolError {
    get name() { return 'DeniedError' }
  }

  const waiting = create(null)
  let made = 0

  function open(kind, name, text) {
    const index = made
    made += 1
    const site = new CapturedError('')
    const refused = bridge(kind, index, name, text, site.stack)
    if (refused !== '') throw new ToolError(refused)
    return new CapturedPromise((resolve, reject) => {
      const entry = create(null)
      entry.resolve = resolve
      entry.reject = reject
      entry.site = site
      waiting[index] = entry
    })
  }

  async function call(name, given, count) {
    if (count > 1 || (given !== undefined && (typeof given !== 'object' || given === null || isArray(given)))) {
      throw new TypeError('tools.' + name + ' takes one object with the arguments by name: tools.' + name + '({ … })')
    }
    const text = given === undefined ? '{}' : stringify(given)
    if (typeof text !== 'string') throw new TypeError('the arguments of tools.' + name + ' are no JSON')
    return open('call', name, text)
  }

  const functions = create(null)
  function toolNamed(name) {
    if (functions[name] === undefined) {
      const tool = (...given) => call(name, given[0], given.length)
      defineProperty(tool, 'name', { value: name })
      functions[name] = freeze(tool)
    }
    return functions[name]
  }

  const tools = new Proxy(create(null), {
    get(_target, name) {
      if (typeof name !== 'string') return undefined
      if (known[name] === true) return toolNamed(name)
      if (name === 'then' || name === 'toJSON' || name === 'constructor') return undefined
      throw new ReferenceError(bridge('near', 0, name, '', ''))
    },
    has: (_target, name) => typeof name === 'string' && known[name] === true,
    ownKeys: () => parse(namesText),
    getOwnPropertyDescriptor(_target, name) {
      if (typeof name !== 'string' || known[name] !== true) return undefined
      return { value: toolNamed(name), writable: false, enumerable: true, configurable: true }
    },
    preventExtensions: () => false,
    set(_target, name) { throw new TypeError('tools.' + toText(name) + ' cannot be set: tools are read-only') },
    deleteProperty: () => false,
    defineProperty: () => false,
    setPrototypeOf: () => false,
  })

  function shown(value) {
    if (typeof value === 'string') return value
    try {
      if (isError(value)) return value.name + ': ' + value.message
      if (typeof value === 'object' && value !== null) {
        const text = stringify(value)
        if (typeof text === 'string') return text
      }
      return toText(value)
    } catch {
      return '[a value that cannot be shown]'
    }
  }

  const write = (prefix) => (...values) => {
    let line = prefix
    for (let at = 0; at < values.length; at += 1) line += (at > 0 ? ' ' : '') + shown(values[at])
    bridge('log', 0, line, '', '')
  }
  const log = write('')
  const globals = {
    __proto__: null,
    tools,
    args: parse(argsText),
    console: freeze({ __proto__: null, log, info: log, debug: log, warn: write('warning: '), error: write('error: ') }),
    show: (ref) => { bridge('show', 0, toText(ref), '', '') },
    sleep: async (ms) => open('sleep', '', toText(+ms)),
    ToolError,
    DeniedError,
  }
  for (const name of keys(globals)) {
    defineProperty(globalThis, name, { value: globals[name], writable: name === 'args', configurable: false, enumerable: false })
  }

  function describe(error) {
    const said = create(null)
    said.name = 'Error'
    said.message = ''
    said.stack = ''
    try {
      if (typeof error === 'object' && error !== null) {
        if (typeof error.name === 'string') said.name = error.name
        said.message = typeof error.message === 'string' ? error.message : shown(error)
        if (typeof error.stack === 'string') said.stack = error.stack
      } else {
        said.name = ''
        said.message = shown(error)
      }
    } catch {
      said.message = 'an error that cannot be read'
    }
    return stringify(said)
  }

  return {
    __proto__: null,
    /** Gives the answer to a call. */
    settle(index, isOk, text) {
      const entry = waiting[index]
      delete waiting[index]
      if (entry === undefined) return
      if (isOk) {
        const { resolve } = entry
        resolve(text === '' ? undefined : parse(text))
        return
      }
      const said = parse(text)
      const error = said.kind === 'denied' ? new DeniedError(said.message) : new ToolError(said.message)
      for (const name of ['server', 'tool', 'rule']) {
        if (said[name] !== undefined) defineProperty(error, name, { value: said[name], enumerable: true })
      }
      defineProperty(error, 'stack', { value: entry.site.stack, writable: true, configurable: true })
      const { reject } = entry
      reject(error)
    },
    /** Runs the program, and tells how it ended. */
    async run(program) {
      let value
      try {
        value = await program()
      } catch (error) {
        bridge('threw', 0, describe(error), '', '')
        return
      }
      let text
      try {
        text = stringify(value)
      } catch (error) {
        bridge('returned', 1, describe(error), '', '')
        return
      }
      if (text === undefined) bridge('returned', value === undefined ? 2 : 3, '', '', '')
      else bridge('returned', 0, text, '', '')
    },
  }
})`
