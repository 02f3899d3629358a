import type { ProgramFailure } from '@parley/code'

/** A program that tries something, and the only end that it may have. */
export interface Attack {
  readonly title: string
  readonly program: string
  readonly ends:
    | { readonly value: unknown }
    | { readonly kind: ProgramFailure | readonly ProgramFailure[] }
}

type Row = readonly [title: string, program: string, ends: Attack['ends']]

const value = (expected: unknown) => ({ value: expected })
const fails = (...kind: readonly ProgramFailure[]) => ({ kind })

function attacks(rows: readonly Row[]): readonly Attack[] {
  return rows.map(([title, program, ends]) => ({ title, program, ends }))
}

/** Ways out of the engine. */
export const escapes = attacks([
  ['typeof process', 'return typeof process', value('undefined')],
  [
    'typeof require',
    'return typeof require + typeof module + typeof exports',
    value('undefinedundefinedundefined'),
  ],
  [
    'the constructor of a function',
    'return (() => {}).constructor("return typeof process")()',
    value('undefined'),
  ],
  [
    'the constructor of the global object',
    'return globalThis.constructor.constructor("return typeof process + typeof bait")()',
    value('undefinedundefined'),
  ],
  [
    'the constructor of an async function',
    'return (async () => {}).constructor("return typeof process")()',
    value('undefined'),
  ],
  [
    'the constructor of a generator',
    'return (function* () {}).constructor("yield typeof process")().next().value',
    value('undefined'),
  ],
  [
    'the constructor of console.log',
    'return console.log.constructor("return typeof process")()',
    value('undefined'),
  ],
  [
    'the constructor of a tool',
    'return tools.echo.constructor("return typeof process")()',
    value('undefined'),
  ],
  [
    'the constructor of what a tool answered',
    'const it = await tools.echo({}); return it.constructor.constructor("return typeof process")()',
    value('undefined'),
  ],
  [
    'the constructor of the error of a tool',
    'try { await tools.fail({}) } catch (e) { return e.constructor.constructor("return typeof process")() }',
    value('undefined'),
  ],
  [
    'the constructor of args',
    'return args.constructor.constructor("return typeof process")()',
    value('undefined'),
  ],
  [
    'the constructor of a promise of a tool',
    'const p = tools.echo({}); await p; return p.constructor.constructor("return typeof process")()',
    value('undefined'),
  ],
  [
    'indirect eval',
    'return (0, eval)("typeof process + typeof bait")',
    value('undefinedundefined'),
  ],
  [
    'this',
    'return (function () { return this === undefined || this === globalThis })()',
    value(true),
  ],
  ['import of a module of Node', 'return await import("node:fs")', fails('threw')],
  ['import of a file', 'return await import("BAIT_FILE")', fails('threw')],
  [
    'import of data',
    'return await import("data:text/javascript,export default 1")',
    fails('threw'),
  ],
  ['import of an address', 'return await import("BAIT_URL")', fails('threw')],
  ['import as a statement', 'import fs from "node:fs"\nreturn fs', fails('syntax')],
  ['import.meta', 'return import.meta.url', fails('syntax')],
  [
    'import through Function',
    'return await new Function("return import(\'node:fs\')")()',
    fails('threw'),
  ],
  [
    'the modules of the engine',
    'return [typeof std, typeof os, typeof bjson, typeof scriptArgs, typeof print, typeof loadFile].join()',
    value('undefined,undefined,undefined,undefined,undefined,undefined'),
  ],
  [
    'what pages have',
    'return [typeof window, typeof document, typeof navigator, typeof Worker, typeof fetch, typeof XMLHttpRequest, typeof WebSocket].join()',
    value(Array(7).fill('undefined').join()),
  ],
  ['a request by hand', 'return await fetch("BAIT_URL")', fails('threw')],
  [
    'shared memory and compiled code',
    'return [typeof SharedArrayBuffer, typeof Atomics, typeof WebAssembly, typeof WeakRef, typeof FinalizationRegistry].join()',
    value(Array(5).fill('undefined').join()),
  ],
  [
    'shared memory behind a buffer',
    'return Object.getOwnPropertyNames(ArrayBuffer).concat(Object.getOwnPropertyNames(DataView)).includes("shared")',
    value(false),
  ],
  [
    'timers',
    'return [typeof setTimeout, typeof setInterval, typeof setImmediate, typeof performance].join()',
    value('undefined,undefined,undefined,undefined'),
  ],
  [
    'the caller of a function',
    'function f() { return f.caller }\nreturn String(f())',
    fails('threw'),
  ],
  ['arguments.callee', 'return (function () { return typeof arguments.callee })()', fails('threw')],
  ['the stack of an error', 'return new Error("x").stack.includes("/")', value(false)],
  [
    'the stack of the error of a tool',
    'try { await tools.fail({}) } catch (e) { return [e.stack.includes("/"), e.message] }',
    value([false, 'the tool failed']),
  ],
  [
    'frames of a stack',
    'Error.prepareStackTrace = (_, frames) => frames; const frames = new Error("x").stack; return frames.map((f) => { try { return typeof f.getFunction() + typeof f.getThis() } catch { return "no" } }).every((t) => !t.includes("object"))',
    value(true),
  ],
  [
    'frames while a call is made',
    'let seen = []; Error.prepareStackTrace = (_, frames) => { seen = frames; return frames }; await tools.echo({}); return seen.every((f) => typeof f.getThis === "undefined")',
    value(true),
  ],
  ['closing the wrapper', 'return 1 }); (async () => { return typeof process', value('undefined')],
  [
    'closing the wrapper and running at once',
    '})(); globalThis.x = typeof process; (async () => { return x',
    value('undefined'),
  ],
  ['a comment that never ends', 'return typeof process /*', fails('syntax')],
  ['a comment of a page', 'return typeof process <!-- x', value('undefined')],
  [
    'a new Function that closes',
    'return new Function("}, function () { return typeof process")',
    fails('threw', 'result'),
  ],
  [
    'a proxy as this of a built-in',
    'try { Function.prototype.toString.call(new Proxy(function () {}, {})) } catch {}\nreturn Function.prototype.toString.call(tools.echo).includes("native") || true',
    value(true),
  ],
  [
    'names of the global object',
    'return Reflect.ownKeys(globalThis).filter((k) => /process|require|bridge|install|host|std|parent|port/i.test(String(k)))',
    value([]),
  ],
  [
    'names that the guest keeps',
    'return [typeof bridge, typeof waiting, typeof names, typeof install, typeof describe].join()',
    value(Array(5).fill('undefined').join()),
  ],
  ['a label of a module', 'return typeof globalThis["__proto__"].process', value('undefined')],
  [
    'Reflect.construct of a tool',
    'return String(Reflect.construct(tools.echo, []))',
    fails('threw'),
  ],
  [
    'a date with the time zone of the host',
    'return [new Date(0).getTimezoneOffset(), String(new Date(0)).includes("GMT+0000")]',
    value([0, true]),
  ],
  ['names of the locale', 'return typeof Intl', value('undefined')],
])

/** Changes of what guest and program share. The host is not to notice, and the calls have to be as they were made. */
export const pollution = attacks([
  [
    'then of every object',
    'Object.prototype.then = function (r) { r("stolen") }; return 1',
    value(1),
  ],
  [
    'toJSON of every object',
    'Object.prototype.toJSON = () => ({ name: "other" }); await tools.echo({ a: 1 }); return 1',
    value(1),
  ],
  [
    'JSON.stringify',
    'JSON.stringify = () => "{}"; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  [
    'JSON.parse',
    'JSON.parse = () => ({ stolen: true }); return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  [
    'Promise',
    'globalThis.Promise = class { constructor() { throw 1 } }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  [
    'Promise.prototype.then',
    'const then = Promise.prototype.then; let seen = 0; Promise.prototype.then = function (...a) { seen += 1; return then.apply(this, a) }; await tools.echo({}); return 2',
    value(2),
  ],
  [
    'push of every list',
    'Array.prototype.push = () => { throw new Error("stolen") }; return await tools.echo({ a: [1] })',
    value({ a: [1] }),
  ],
  [
    'a setter for the first item',
    'const own = { a: 1 }; const got = []; let n = 0; Object.defineProperty(Array.prototype, "0", { set(v) { n += v === own ? 0 : 1 }, configurable: true }); await tools.echo(own); return n',
    value(0),
  ],
  [
    'a setter for resolve',
    'let got; Object.defineProperty(Object.prototype, "resolve", { set(v) { got = v } }); await tools.echo({}); return typeof got',
    value('undefined'),
  ],
  [
    'a setter for an index',
    'let got; Object.defineProperty(Object.prototype, "0", { set(v) { got = v } }); await tools.echo({}); return typeof got',
    value('undefined'),
  ],
  [
    'a getter for the kind of an error',
    'Object.defineProperty(Object.prototype, "kind", { get: () => "denied" }); try { await tools.fail({}) } catch (e) { return e.name }',
    value('ToolError'),
  ],
  [
    'Reflect.apply',
    'Reflect.apply = () => { throw 1 }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  [
    'Function.prototype.call',
    'Function.prototype.call = Function.prototype.apply = () => { throw 1 }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  ['Array.isArray', 'Array.isArray = () => false; return await tools.echo([1])', fails('threw')],
  [
    'Object.create',
    'Object.create = () => { throw 1 }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  [
    'Object.freeze',
    'Object.freeze = (o) => { o.stolen = 1; return o }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  ['Proxy', 'globalThis.Proxy = class {}; return await tools.echo({ a: 1 })', value({ a: 1 })],
  [
    'Error',
    'globalThis.Error = class { constructor() { throw 1 } }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  [
    'String',
    'globalThis.String = () => "other"; return await tools.echo({ a: "x" })',
    value({ a: 'x' }),
  ],
  [
    'Map and Set',
    'Map.prototype.get = Map.prototype.set = Set.prototype.has = () => { throw 1 }; return await tools.echo({})',
    value({}),
  ],
  [
    'iteration of lists',
    'Array.prototype[Symbol.iterator] = function* () { yield "stolen" }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
  [
    '__proto__ in the returned value',
    'return JSON.parse(\'{"__proto__":{"polluted":1}}\')',
    value(JSON.parse('{"__proto__":{"polluted":1}}')),
  ],
  [
    '__proto__ in arguments',
    'await tools.echo(JSON.parse(\'{"__proto__":{"polluted":1}}\')); return 1',
    value(1),
  ],
  [
    'constructor.prototype in arguments',
    'await tools.echo({ constructor: { prototype: { polluted: 1 } } }); return 1',
    value(1),
  ],
  ['a tool called __proto__', 'return await tools["__proto__"]({ a: 1 })', value({ a: 1 })],
  ['setting a tool', 'tools.echo = () => "stolen"; return 1', fails('threw')],
  ['defining a tool', 'return Reflect.defineProperty(tools, "other", { value: 1 })', value(false)],
  [
    'the prototype of tools',
    'return [Object.getPrototypeOf(tools) === null, Reflect.setPrototypeOf(tools, {})]',
    value([true, false]),
  ],
  [
    'deleting a tool',
    'return [Reflect.deleteProperty(tools, "echo"), typeof tools.echo]',
    value([false, 'function']),
  ],
  ['replacing tools', 'globalThis.tools = {}; return 1', fails('threw')],
  ['replacing console', 'console.log = () => {}; return 1', fails('threw')],
  [
    'ToolError with a prototype of its own',
    'Object.setPrototypeOf(ToolError, function () { return { stolen: 1 } }); try { await tools.fail({}) } catch (e) { return typeof e }',
    value('object'),
  ],
  [
    'Symbol.species',
    'Object.defineProperty(Promise, Symbol.species, { get: () => { throw 1 } }); return await tools.echo({ a: 1 })',
    fails('threw'),
  ],
  [
    'Error.prepareStackTrace',
    'Error.prepareStackTrace = () => { throw 1 }; return await tools.echo({ a: 1 })',
    value({ a: 1 }),
  ],
])

/** Against the messages between the program and the host. */
export const bridge = attacks([
  ['an unknown tool', 'return await tools.delete_everything({})', fails('threw')],
  ['a tool with a null byte', 'return await tools["echo\\u0000"]({})', fails('threw')],
  ['a tool with a symbol', 'return typeof tools[Symbol.iterator]', value('undefined')],
  ['a list as arguments', 'return await tools.echo([1])', fails('threw')],
  ['a text as arguments', 'return await tools.echo("x")', fails('threw')],
  ['null as arguments', 'return await tools.echo(null)', fails('threw')],
  ['two arguments', 'return await tools.echo({}, {})', fails('threw')],
  [
    'arguments that turn into a text',
    'return await tools.echo({ toJSON: () => "x" })',
    fails('threw'),
  ],
  [
    'arguments that turn into nothing',
    'return await tools.echo({ toJSON: () => undefined })',
    fails('threw'),
  ],
  ['arguments with a large number', 'return await tools.echo({ a: 1n })', fails('threw')],
  [
    'arguments that contain themselves',
    'const a = {}; a.a = a; return await tools.echo(a)',
    fails('threw'),
  ],
  [
    'arguments that throw',
    'return await tools.echo({ get a() { throw new Error("x") } })',
    fails('threw'),
  ],
  [
    'arguments behind a proxy',
    'return await tools.echo(new Proxy({ a: 1 }, { ownKeys: () => ["a"], get: () => 2 }))',
    value({ a: 2 }),
  ],
  [
    'arguments that are too large',
    'try { await tools.echo({ a: "x".repeat(2e5) }) } catch (e) { return e.message.includes("fit") }',
    value(true),
  ],
  [
    'arguments that are nested deeply',
    'let a = {}; for (let i = 0; i < 500; i += 1) a = { a }; return await tools.echo(a)',
    fails('threw'),
  ],
  ['half a surrogate', 'return (await tools.echo({ a: "\\ud800" })).a.length', value(1)],
  [
    'a line separator in arguments',
    'return await tools.echo({ a: "\\u2028\\u0000" })',
    value({ a: '\u2028\0' }),
  ],
  [
    'more calls than fit',
    'let made = 0; try { for (;;) { await tools.echo({}); made += 1 } } catch (e) { return [made, e.name] }',
    value([30, 'ToolError']),
  ],
  [
    'more calls than fit at once',
    'const all = await Promise.allSettled(Array.from({ length: 100 }, () => tools.echo({}))); return all.filter((one) => one.status === "fulfilled").length',
    value(30),
  ],
  ['a call that nobody awaits', 'tools.slow({}); return 1', value(1)],
  [
    'calls after the end',
    'Promise.resolve().then(async () => { for (let i = 0; i < 5; i += 1) await tools.echo({}) }); return 1',
    value(1),
  ],
  [
    'a flood of lines',
    'for (let i = 0; i < 2e4; i += 1) console.log("line " + i); return 1',
    value(1),
  ],
  ['a long line', 'console.log("x".repeat(2e6)); return 1', value(1)],
  [
    'a line with what cannot be shown',
    'console.log({ get a() { throw 1 } }, new Proxy({}, { get() { throw 1 } }), Symbol("x"), 1n, null, undefined); return 1',
    value(1),
  ],
  [
    'a flood of pictures',
    'for (let i = 0; i < 1e4; i += 1) show("media-" + i); return 1',
    value(1),
  ],
  ['a returned function', 'return () => 1', fails('result')],
  ['a returned symbol', 'return Symbol("x")', fails('result')],
  ['a returned large number', 'return 1n', fails('result')],
  ['a returned value that contains itself', 'const a = []; a.push(a); return a', fails('result')],
  ['a returned value that throws', 'return { get a() { throw new Error("x") } }', fails('result')],
  ['a returned value that is too large', 'return "x".repeat(2e5)', fails('result')],
  [
    'a returned value that is nested deeply',
    'let a = []; for (let i = 0; i < 500; i += 1) a = [a]; return a',
    fails('result'),
  ],
  ['a returned promise', 'return Promise.resolve(Promise.resolve(3))', value(3)],
  ['a returned thing with then', 'return { then(resolve) { resolve(4) } }', value(4)],
  ['then that never answers', 'return { then() {} }', fails('stuck')],
  ['a promise that nothing settles', 'await new Promise(() => {}); return 1', fails('stuck')],
  [
    'an end that is told twice',
    'queueMicrotask(() => {}); try { return 1 } finally { await tools.echo({}) }',
    value(1),
  ],
  ['a thrown text', 'throw "x"', fails('threw')],
  ['a thrown null', 'throw { message: null }', fails('threw')],
  ['a thrown symbol', 'throw Symbol("x")', fails('threw')],
  ['a thrown proxy', 'throw new Proxy({}, { get() { throw 1 } })', fails('threw')],
  ['an error with a long text', 'throw new Error("x".repeat(1e5))', fails('threw')],
  [
    'an error with a stack of its own',
    'const e = new Error("x"); e.stack = "at program.js:999999:1"; throw e',
    fails('threw'),
  ],
  [
    'an error with a stack that is no text',
    'const e = new Error("x"); e.stack = { toJSON: () => "y" }; throw e',
    fails('threw'),
  ],
  [
    'an error in a microtask',
    'queueMicrotask(() => { throw new Error("x") }); await tools.echo({}); return 1',
    fails('threw'),
  ],
  ['the name of another file', '//# sourceURL=guest.js\nthrow new Error("x")', fails('threw')],
  ['a sleep of no number', 'await sleep("x"); return 1', value(1)],
  ['a sleep in the past', 'await sleep(-5); return 1', value(1)],
])

/** Everything there is of something. Each ends by a limit, or is so small that it ends by itself. */
export const exhaustion = attacks([
  ['a loop', 'for (;;);', fails('cpu')],
  [
    'a loop that catches',
    'for (;;) { try { for (;;); } catch {} finally { for (;;); } }',
    fails('cpu'),
  ],
  ['a loop that awaits', 'for (;;) await null', fails('cpu')],
  [
    'a loop in a function that is awaited and caught',
    'const f = async () => { for (;;); }; for (;;) { try { await f() } catch {} }',
    fails('cpu'),
  ],
  [
    'microtasks without end',
    'const f = () => queueMicrotask(f); f(); await new Promise(() => {})',
    fails('cpu'),
  ],
  ['a loop in toJSON', 'return { toJSON() { for (;;); } }', fails('cpu')],
  ['a loop in a getter of an error', 'throw { get message() { for (;;); } }', fails('cpu')],
  ['a loop in then', 'return { then() { for (;;); } }', fails('cpu')],
  ['a loop in a comparison', '[3, 2, 1].sort(() => { for (;;); })', fails('cpu')],
  ['a loop in a proxy', 'new Proxy({}, { get() { for (;;); } }).x', fails('cpu')],
  ['a loop in arguments', 'await tools.echo({ get a() { for (;;); } })', fails('cpu')],
  ['a regular expression', '/^(a+)+$/.test("a".repeat(40) + "b")', fails('cpu', 'memory', 'threw')],
  ['a generator', 'function* g() { for (;;) yield 1 } for (const one of g()) one', fails('cpu')],
  ['a function that calls itself', 'const f = () => f() + 1; return f()', fails('threw')],
  [
    'a function that calls itself and catches',
    'const f = () => { try { return f() } catch { return f() } }; return f()',
    fails('cpu', 'threw'),
  ],
  [
    'promises that wait for each other',
    'const f = async () => f(); await f()',
    fails('threw', 'memory'),
  ],
  ['texts', 'let a = "x"; for (;;) a += a + 1', fails('memory', 'threw')],
  ['lists', 'const a = []; for (;;) a.push(new Array(1000).fill(1))', fails('memory')],
  [
    'lists, caught',
    'const a = []; for (;;) { try { for (;;) a.push(new Array(1000).fill(1)) } catch {} }',
    fails('cpu', 'memory'),
  ],
  ['a long list', 'return new Array(2 ** 32 - 1).fill(0).length', fails('memory', 'cpu')],
  [
    'a long list from a length',
    'return Array.from({ length: 1e9 }).length',
    fails('memory', 'cpu'),
  ],
  ['a buffer', 'return new ArrayBuffer(2 ** 31).byteLength', fails('memory', 'threw')],
  ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6))', fails('memory')],
  [
    'a table',
    'const a = new Map(); for (let i = 0; ; i += 1) a.set(i, { i })',
    fails('memory', 'cpu'),
  ],
  ['members', 'const a = {}; for (let i = 0; ; i += 1) a["m" + i] = i', fails('memory', 'cpu')],
  ['closures', 'const a = []; for (;;) a.push(() => a)', fails('memory')],
  ['promises', 'const a = []; for (;;) a.push(new Promise(() => {}))', fails('memory')],
  [
    'symbols',
    'const a = []; for (let i = 0; ; i += 1) a.push(Symbol("s".repeat(1000) + i))',
    fails('memory', 'cpu'),
  ],
  [
    'a large number',
    'return String(2n ** 10000000n).length',
    fails('cpu', 'memory', 'threw', 'standstill'),
  ],
  ['a repeated text', 'return "x".repeat(2 ** 30).length', fails('memory', 'threw')],
  ['a padded text', 'return "x".padStart(2 ** 30).length', fails('memory', 'threw')],
  [
    'a joined list',
    'return new Array(1e8).join("xxxxxxxxxx").length',
    fails('memory', 'threw', 'cpu', 'standstill'),
  ],
  [
    'a value that unfolds',
    'let a = ["x".repeat(100)]; for (let i = 0; i < 40; i += 1) a = [a, a]; return a',
    fails('memory', 'result', 'cpu'),
  ],
  [
    'a nested value',
    'let a = {}; const top = a; for (let i = 0; i < 2e4; i += 1) { a.a = {}; a = a.a } return top',
    fails('result', 'memory', 'threw', 'standstill'),
  ],
  [
    'a program that is nested deeply',
    `return ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
    fails('syntax', 'threw', 'memory'),
  ],
  ['nested JSON', 'return JSON.parse("[".repeat(1e6))', fails('threw', 'memory')],
  ['a spread list', 'return Math.max(...new Array(5e6).fill(1))', fails('threw', 'memory')],
  ['a line for everything', 'for (;;) console.log("x")', fails('cpu')],
  ['pictures for everything', 'for (;;) show("x")', fails('cpu')],
  ['calls for everything', 'for (;;) tools.echo({}).catch(() => {})', fails('cpu', 'memory')],
])

/** Programs that everybody writes. They have to work. */
export const ordinary = attacks([
  ['a value', 'return 1 + 1', value(2)],
  ['nothing', '', value(undefined)],
  ['a call', 'return await tools.echo({ a: 1, b: ["x", null] })', value({ a: 1, b: ['x', null] })],
  [
    'calls side by side',
    'const all = await Promise.all([1, 2, 3].map((a) => tools.echo({ a })))\nreturn all.map(({ a }) => a)',
    value([1, 2, 3]),
  ],
  [
    'a loop over pages',
    'const items = []\nlet cursor\ndo {\n  const page = await tools.echo({ items: [items.length], nextCursor: items.length < 3 ? "c" : undefined })\n  items.push(...page.items)\n  cursor = page.nextCursor\n} while (cursor)\nreturn items',
    value([0, 1, 2, 3]),
  ],
  [
    'an error that is caught',
    'try { await tools.fail({}) } catch (error) { return [error instanceof ToolError, error instanceof Error, error.message] }',
    value([true, true, 'the tool failed']),
  ],
  [
    'a group and a sum',
    'const rows = [["a", 1], ["b", 2], ["a", 3]]\nreturn Object.fromEntries(Object.entries(Object.groupBy(rows, ([k]) => k)).map(([k, all]) => [k, all.reduce((s, [, n]) => s + n, 0)]))',
    value({ a: 4, b: 2 }),
  ],
  ['a date', 'return new Date("2026-01-31T00:00:00Z").toISOString().slice(0, 7)', value('2026-01')],
  ['a regular expression', 'return "issue #12 and #7".match(/#(\\d+)/g)', value(['#12', '#7'])],
  ['arguments of the run', 'return args.name.toUpperCase()', value('ADA')],
  [
    'a sleep',
    'const before = Date.now()\nawait sleep(5)\nreturn Date.now() >= before',
    value(true),
  ],
])
