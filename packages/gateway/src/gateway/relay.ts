/**
 * Answers for many servers as if they were one. Each request is mapped to the server that it is about: a tool by its exposed name, a
 * resource by its address, a task by where it began. Lists are the catalogue's. `pass-on.ts` sends the request; clients with a
 * session have theirs in `session.ts`.
 */

import { loggingLevels, RpcError, type JsonObject, type LoggingLevel } from '@parley/mcp'
import {
  requireMethod,
  requireTasks,
  ForwardedCall,
  type Backend,
  type BackendOutcome,
  type BackendCall,
  type BackendCaller,
} from '@parley/mcp/internal/relay'
import { isJsonObject } from '@parley/mcp/json'

import { awaitSignIn } from '../identity/refuse-caller.ts'
import { signInToolName } from '../identity/sign-in-tool.ts'
import type { Offered } from '../naming/catalogue.ts'
import { exposedName } from '../naming/naming.ts'
import { answerList, listRequested, shownTools } from './answer-lists.ts'
import { ownerOf } from './caller.ts'
import type { GatewayCore } from './core.ts'
import { catalogueFor, findOffered, missing, sessionOf } from './find-offered.ts'
import { findResource } from './find-resource.ts'
import { listen } from './listen.ts'
import { observe } from './observer.ts'
import type { Origin } from './origins.ts'
import { passLater, passOn, type Passed } from './pass-on.ts'
import { createGatewaySession } from './session.ts'
import { listSkills, skillServers } from './skills.ts'
import { readStatus, statusUri } from './status.ts'
import { capabilitiesOf, instructionsOf } from './welcome.ts'

/** Answers for many servers as if they were one: each request goes to the server that it is about. */
export function createGatewayBackend(core: GatewayCore): Backend {
  return {
    async open(opening) {
      await core.settling
      return {
        info: core.info,
        capabilities: capabilitiesOf(core),
        instructions: instructionsOf(core),
        session: createGatewaySession(core, opening),
      }
    },
    resume: (opening) => createGatewaySession(core, opening),
    request(call) {
      requireMethod(call)
      const { observer } = core
      if (observer) return observe(observer, call, () => answer(core, call))
      const list = listRequested(call.method)
      const isPlain = core.settling === undefined && !core.hasCallers
      if (list !== undefined && isPlain && sessionOf(call) === undefined) {
        return answerList(core, call, core.catalogue(), list)
      }
      if (call.method === 'tools/call') return callTool(core, call)
      return answer(core, call)
    },
  }
}

async function answer(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { method } = call
  const list = listRequested(method)
  if (method !== 'tools/call') await core.settling
  if (list !== undefined) {
    return answerList(core, call, await catalogueFor(core, call), list)
  }
  switch (method) {
    case 'server/discover':
      return discover(core, call)
    case 'tools/call':
      return callTool(core, call)
    case 'prompts/get':
      return getPrompt(core, call)
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return useResource(core, call)
    case 'skills/get':
    case 'resources/directory/read':
      if (skillServers(core).length > 0) return useResource(core, call)
      break
    case 'skills/list':
      if (skillServers(core).length > 0) return listSkills(core, call)
      break
    case 'completion/complete':
      return complete(core, call)
    case 'logging/setLevel':
      return setLevel(call)
    case 'subscriptions/listen':
      return listen(core, call)
  }
  if (method.startsWith('tasks/')) return useTask(core, call)
  throw new RpcError('method_not_found', `unknown method: ${method}`, {
    data: { method: method },
  })
}

function discover(core: GatewayCore, { caller }: BackendCall): BackendOutcome {
  const instructions = instructionsOf(core)
  const result = {
    supportedVersions: caller.supported,
    capabilities: withoutTasks(capabilitiesOf(core)),
    ...(instructions !== undefined && { instructions }),
  }
  return { kind: 'raw', result: caller.codec.encodeResult('server/discover', result, core.info) }
}

function withoutTasks<Given extends { readonly tasks?: unknown }>({ tasks: _, ...rest }: Given) {
  return rest
}

/** Most calls name a tool that is known: nothing is waited for before they are sent. */
async function callTool(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { name, arguments: args = {} } = call.params
  if (typeof name !== 'string') throw expected(call, 'name', 'text')
  if (!isJsonObject(args)) throw expected(call, 'arguments', 'an object')
  if ('inputResponses' in call.params) await awaitSignIn(core.signIns, call)
  const searched = core.search && (await search(core, call, name, args))
  if (searched) return searched
  const found = findOffered(core, call, 'tools', name)
  const offered = found instanceof Promise ? await found : found
  if (offered === undefined) return signedIn(core, call, name) ?? missing(core, call, 'tool', name)
  return await passOn(core, call, passedTo(offered, call, args))
}

/** One of the tools that stand for all; what they name is called as if it had been called by that name. */
async function search(
  core: GatewayCore,
  call: BackendCall,
  name: string,
  args: JsonObject,
): Promise<BackendOutcome | undefined> {
  const catalogue = await catalogueFor(core, call)
  const found = core.search?.find(name, {
    catalogue,
    isShared: catalogue === core.catalogue(),
    shown: () => shownTools(core, call, catalogue),
  })
  return found?.answer(args, (called, input) => {
    const params = { ...call.params, name: called, arguments: input }
    return callTool(core, new ForwardedCall(call, { params, caller: withoutRepeats(call.caller) }))
  })
}

/** Headers repeat the arguments of the search, not of what it calls. */
function withoutRepeats(caller: BackendCaller): BackendCaller {
  if (caller.http?.mismatch === undefined) return caller
  const { mismatch: _, paramHeaders: __, ...http } = caller.http
  return Object.create(caller, { http: { value: http } }) as BackendCaller // all else is read from the caller
}

/** Repeats the sign-in tool for a caller that has just signed in, when it is no longer listed. */
function signedIn(
  { upstreams, naming }: GatewayCore,
  { caller: { auth } }: BackendCall,
  name: string,
): BackendOutcome | undefined {
  for (const { name: server, callers } of upstreams.values()) {
    if (callers === undefined || auth === undefined || callers.needsSignIn(auth)) continue
    const tool = signInToolName(server, naming === 'prefix')
    if (name !== exposedName(naming, server, tool)) continue
    const text = `You are signed in to ${server}. Its tools are listed now.`
    return { kind: 'result', result: { content: [{ type: 'text', text }] } }
  }
  return undefined
}

async function getPrompt(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { name, arguments: args = {} } = call.params
  if (typeof name !== 'string') throw expected(call, 'name', 'text')
  if (!isJsonObject(args)) throw expected(call, 'arguments', 'an object')
  const offered = await findOffered(core, call, 'prompts', name)
  if (offered === undefined) return missing(core, call, 'prompt', name)
  return passOn(core, call, passedTo(offered, call, args))
}

function passedTo({ upstream, subject, toCall }: Offered, call: BackendCall, args: JsonObject) {
  const hasArguments = call.params['arguments'] !== undefined
  const passed: Passed = {
    upstream,
    subject,
    arguments: args,
    paramsFor(input) {
      const meant = toCall?.(input)
      if (meant?.kind === 'refused') return meant.problem
      const mapped = meant?.kind === 'call' ? meant.args : input
      const isEmpty = !hasArguments && Object.keys(mapped).length === 0
      return { ...call.params, name: subject.name, ...(!isEmpty && { arguments: mapped }) }
    },
  }
  return passed
}

async function useResource(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { method } = call
  const { uri } = call.params
  if (typeof uri !== 'string') throw expected(call, 'uri', 'text')
  const session = sessionOf(call)
  if (uri === statusUri) {
    if (method === 'resources/read')
      return { kind: 'result', result: await readStatus(core, call.caller) }
    if (session) session.followsStatus = method === 'resources/subscribe'
    return { kind: 'result', result: {} }
  }
  const found = findResource(core, await catalogueFor(core, call), call.caller, uri)
  const followedAt = session?.subscribed.get(uri)
  const upstream =
    method === 'resources/unsubscribe' ? (followedAt?.upstream ?? found?.upstream) : found?.upstream
  if (upstream === undefined || found === undefined) {
    throw new RpcError('resource_not_found', `no server behind this gateway has ${uri}`, {
      data: { uri },
    })
  }
  const { subject } = found
  const params = { ...call.params }
  const outcome = await passOn(core, call, {
    upstream,
    subject,
    arguments: {},
    paramsFor: () => params,
  })
  if (outcome.kind !== 'error' && session) {
    if (method === 'resources/subscribe') session.follow(uri, found)
    if (method === 'resources/unsubscribe') session.subscribed.delete(uri)
  }
  return outcome
}

async function complete(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { ref } = call.params
  if (!isJsonObject(ref)) throw expected(call, 'ref', 'an object')
  const { offered } = await catalogueFor(core, call)
  const { type, name, uri } = ref
  const completion =
    type === 'ref/prompt' && typeof name === 'string'
      ? offered.prompts.get(name)
      : type === 'ref/resource' && typeof uri === 'string'
        ? (offered.resourceTemplates.get(uri) ?? offered.resources.get(uri))
        : undefined
  if (completion === undefined) {
    const what = JSON.stringify(name ?? uri ?? type)
    throw new RpcError('invalid_params', `completion/complete: nothing here is called ${what}`)
  }
  const { upstream, subject } = completion
  const inner = subject.kind === 'prompt' ? { ...ref, name: subject.name } : ref
  const params = { ...call.params, ref: inner }
  return passOn(core, call, { upstream, subject, arguments: {}, paramsFor: () => params })
}

async function setLevel(call: BackendCall): Promise<BackendOutcome> {
  const { level } = call.params
  if (!loggingLevels.includes(level as LoggingLevel)) {
    throw expected(call, 'level', `one of ${loggingLevels.join(', ')}`)
  }
  call.caller.setLogLevel(level as LoggingLevel) // just checked
  await sessionOf(call)?.setLevel(level as LoggingLevel, call)
  return { kind: 'result', result: {} }
}

/** A task is at the server that began it. */
async function useTask(core: GatewayCore, call: BackendCall): Promise<BackendOutcome> {
  const { taskId } = call.params
  if (!call.caller.codec.has.initialize) requireTasks(call.method, call.caller)
  const origin = typeof taskId === 'string' ? await originOf(core, call, taskId) : undefined
  const upstream = core.upstreams.get(origin?.upstream ?? '')
  if (upstream === undefined || origin === undefined) {
    const why =
      call.method === 'tasks/list'
        ? 'tasks/list: a gateway keeps no list of tasks; ask for each by its id'
        : `${call.method}: there is no task ${JSON.stringify(taskId)} of this caller`
    throw new RpcError('invalid_params', why)
  }
  const { params } = call
  // The request that began it was checked; the caller is the same.
  return passLater(core, call, {
    upstream,
    subject: origin,
    at: origin.node,
    arguments: {},
    paramsFor: () => params,
  })
}

/** Returns the origin from this process, or from the store if another process wrote it. */
async function originOf(
  { origins, processes }: GatewayCore,
  { caller }: BackendCall,
  taskId: string,
): Promise<(Origin & { readonly node?: string }) | undefined> {
  const who = ownerOf(caller)
  const origin = origins.find(who, `task ${taskId}`)
  if (origin || processes === undefined) return origin
  const reported = await processes.originOf(`${who} ${taskId}`)
  return reported as unknown as Origin & { readonly node: string } // as it was remembered
}

function expected({ method }: BackendCall, key: string, what: string): RpcError {
  return new RpcError('invalid_params', `${method}: ${key}: expected ${what}`)
}
