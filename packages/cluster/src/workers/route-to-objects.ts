import type { ObjectNamespace } from './cloudflare-types.ts'

/** Which object takes a request. */
export interface RouteOptions {
  /** How many objects there are. Sessions are spread over them, each stays at one. May grow at any time. @defaultValue 1 */
  readonly objects?: number | undefined
  /**
   * Names the caller, so that all its requests without a session go to one object, and it finds its tasks there. Only for
   * spreading: the object itself checks who calls. @defaultValue all such requests go to the first object
   */
  readonly callerOf?: ((request: Request) => string | null | undefined) | undefined
}

const sessionHeader = 'mcp-session-id'
const maxObjects = 10_000

/** Sends a request to the object that has its session, or to one that may open it: the whole `fetch` of a Worker. */
export async function routeToObjects(
  request: Request,
  namespace: ObjectNamespace,
  { objects = 1, callerOf }: RouteOptions = {},
): Promise<Response> {
  checkCount(objects)
  const session = readSession(request.headers.get(sessionHeader))
  const number = session?.number ?? chooseObject(request, objects, callerOf)
  const stub = namespace.get(namespace.idFromName(`mcp-${number}`))
  const headers = new Headers(request.headers)
  if (session) headers.set(sessionHeader, session.id)
  return nameSession(await stub.fetch(new Request(request, { headers })), number)
}

function checkCount(objects: number): void {
  if (Number.isInteger(objects) && objects >= 1 && objects <= maxObjects) return
  throw new Error(`objects ${objects} is out of range: use 1 to ${maxObjects}`)
}

/** Session ids begin with the number of their object. What is none of ours is unknown to every object. */
function readSession(header: string | null): { number: number; id: string } | undefined {
  const [, number, id] = /^(\d{1,4})\.(.*)$/.exec(header ?? '') ?? []
  return number === undefined || id === undefined ? undefined : { number: Number(number), id }
}

function nameSession(response: Response, number: number): Response {
  const id = response.headers.get(sessionHeader)
  if (id === null) return response
  const named = new Response(response.body, response)
  named.headers.set(sessionHeader, `${number}.${id}`)
  return named
}

function chooseObject(
  request: Request,
  objects: number,
  callerOf: RouteOptions['callerOf'],
): number {
  const caller = callerOf?.(request)
  if (typeof caller === 'string') return hash(caller) % objects
  const needsNoSession = request.headers.has('mcp-method') || request.method !== 'POST'
  return needsNoSession ? 0 : Math.floor(Math.random() * objects)
}

/** FNV-1a: for spreading, not for secrets. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value >>> 0
}
