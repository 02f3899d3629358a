/** The same program on the official package and on this one. */

import { expect } from 'vitest'

/** The modules that the programs of these tests use. */
export interface Sdk {
  readonly types: typeof import('@parley/compat/types.js')
  readonly server: typeof import('@parley/compat/server/index.js')
  readonly mcp: typeof import('@parley/compat/server/mcp.js')
  readonly client: typeof import('@parley/compat/client/index.js')
  readonly memory: typeof import('@parley/compat/inMemory.js')
  readonly http: typeof import('@parley/compat/server/webStandardStreamableHttp.js')
  readonly nodeHttp: typeof import('@parley/compat/server/streamableHttp.js')
  readonly transport: typeof import('@parley/compat/shared/transport.js')
  readonly clientAuth: typeof import('@parley/compat/client/auth.js')
  readonly bearer: typeof import('@parley/compat/server/auth/middleware/bearerAuth.js')
  readonly tasks: typeof import('@parley/compat/experimental/tasks/index.js')
  readonly ajv: typeof import('@parley/compat/validation/ajv')
  readonly uriTemplate: typeof import('@parley/compat/shared/uriTemplate.js')
}

/** Loads this package. */
export async function loadOwn(): Promise<Sdk> {
  return {
    types: await import('@parley/compat/types.js'),
    server: await import('@parley/compat/server/index.js'),
    mcp: await import('@parley/compat/server/mcp.js'),
    client: await import('@parley/compat/client/index.js'),
    memory: await import('@parley/compat/inMemory.js'),
    http: await import('@parley/compat/server/webStandardStreamableHttp.js'),
    nodeHttp: await import('@parley/compat/server/streamableHttp.js'),
    transport: await import('@parley/compat/shared/transport.js'),
    clientAuth: await import('@parley/compat/client/auth.js'),
    bearer: await import('@parley/compat/server/auth/middleware/bearerAuth.js'),
    tasks: await import('@parley/compat/experimental/tasks/index.js'),
    ajv: await import('@parley/compat/validation/ajv'),
    uriTemplate: await import('@parley/compat/shared/uriTemplate.js'),
  }
}

/** Loads the official package, seen through the same types: that is what the tests are about. */
export async function loadOfficial(): Promise<Sdk> {
  const official = {
    types: await import('@modelcontextprotocol/sdk/types.js'),
    server: await import('@modelcontextprotocol/sdk/server/index.js'),
    mcp: await import('@modelcontextprotocol/sdk/server/mcp.js'),
    client: await import('@modelcontextprotocol/sdk/client/index.js'),
    memory: await import('@modelcontextprotocol/sdk/inMemory.js'),
    http: await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    nodeHttp: await import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    transport: await import('@modelcontextprotocol/sdk/shared/transport.js'),
    clientAuth: await import('@modelcontextprotocol/sdk/client/auth.js'),
    bearer: await import('@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'),
    tasks: await import('@modelcontextprotocol/sdk/experimental/tasks/index.js'),
    ajv: await import('@modelcontextprotocol/sdk/validation/ajv'),
    uriTemplate: await import('@modelcontextprotocol/sdk/shared/uriTemplate.js'),
  }
  return official as unknown as Sdk
}

/** Runs a program on both, and expects it to have said the same. */
export async function expectSame(program: (sdk: Sdk) => Promise<unknown>): Promise<unknown> {
  const own = await program(await loadOwn())
  expect(own).toEqual(await program(await loadOfficial()))
  return own
}

/** Returns the value or the error of a promise as data, so that it can be compared. */
export async function outcome(promise: Promise<unknown> | (() => unknown)): Promise<unknown> {
  try {
    const value = await (typeof promise === 'function' ? promise() : promise)
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
  } catch (error) {
    const { constructor, message, code, data } = error as Error & { code?: unknown; data?: unknown }
    return { thrown: constructor.name, message, code, data }
  }
}
