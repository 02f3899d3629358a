/**
 * Capabilities that clients and servers declare, their checks, and the interface of an extension. Which revision knows which capability is
 * decided in `wire/`.
 */

import * as s from './check.ts'
import type { JsonObject } from './json.ts'

/** Settings by identifier. */
export interface CapabilitySettings {
  readonly [id: string]: JsonObject
}

/** Whether a list is announced when it changes. */
export interface ListCapability {
  readonly listChanged?: boolean
}

/** Which kinds of question a client can show; neither named means forms. */
export interface ElicitationCapability {
  readonly form?: JsonObject
  readonly url?: JsonObject
}

/** Abilities of a client's sampling besides text. */
export interface SamplingCapability {
  readonly tools?: JsonObject
  readonly context?: JsonObject
}

/** Abilities of resources besides being read. */
export interface ResourcesCapability extends ListCapability {
  readonly subscribe?: boolean
}

/** Supported operations on tasks, and the requests that may become one, in 2025-11-25. */
export interface TasksCapability<Requests> {
  readonly list?: JsonObject
  readonly cancel?: JsonObject
  readonly requests?: Requests
}

/** Requests that a client runs as a task on demand. */
export interface ClientTaskRequests {
  readonly sampling?: { readonly createMessage?: JsonObject }
  readonly elicitation?: { readonly create?: JsonObject }
}

/** Requests that a server runs as a task on demand. */
export interface ServerTaskRequests {
  readonly tools?: { readonly call?: JsonObject }
}

/** Requests that a client accepts. */
export interface ClientCapabilities {
  /** It can ask the user, with forms, links or both. */
  readonly elicitation?: ElicitationCapability
  /** It can ask its model. */
  readonly sampling?: SamplingCapability
  /** It can say which folders it works in. */
  readonly roots?: ListCapability
  /** 2025-11-25 only. */
  readonly tasks?: TasksCapability<ClientTaskRequests>
  /** The extensions that it supports, by id, with settings. */
  readonly extensions?: CapabilitySettings
  /** Capabilities outside the specification, by name. */
  readonly experimental?: CapabilitySettings
}

/** Features of a server. */
export interface ServerCapabilities {
  /** It has tools; `listChanged` if it says when the list changes. */
  readonly tools?: ListCapability
  /** It has resources; `subscribe` if it says when one changes. */
  readonly resources?: ResourcesCapability
  /** It has prompts; `listChanged` if it says when the list changes. */
  readonly prompts?: ListCapability
  /** It suggests values for arguments. */
  readonly completions?: JsonObject
  /** It sends log messages. */
  readonly logging?: JsonObject
  /** 2025-11-25 only. */
  readonly tasks?: TasksCapability<ServerTaskRequests>
  /** The extensions that it supports, by id, with settings. */
  readonly extensions?: CapabilitySettings
  /** Capabilities outside the specification, by name. */
  readonly experimental?: CapabilitySettings
}

const listCapability = s.object<ListCapability>({ listChanged: s.optional(s.boolean) })
const settings: s.Check<CapabilitySettings> = s.record(s.jsonObject)

const elicitationCapability = s.object<ElicitationCapability>({
  form: s.optional(s.jsonObject),
  url: s.optional(s.jsonObject),
})

const samplingCapability = s.object<SamplingCapability>({
  tools: s.optional(s.jsonObject),
  context: s.optional(s.jsonObject),
})

const resourcesCapability = s.object<ResourcesCapability>(
  s.fields(listCapability, { subscribe: s.optional(s.boolean) }),
)

const clientTasks = s.object<TasksCapability<ClientTaskRequests>>({
  list: s.optional(s.jsonObject),
  cancel: s.optional(s.jsonObject),
  requests: s.optional(
    s.object<ClientTaskRequests>({
      sampling: s.optional(s.object({ createMessage: s.optional(s.jsonObject) })),
      elicitation: s.optional(s.object({ create: s.optional(s.jsonObject) })),
    }),
  ),
})

const serverTasks = s.object<TasksCapability<ServerTaskRequests>>({
  list: s.optional(s.jsonObject),
  cancel: s.optional(s.jsonObject),
  requests: s.optional(
    s.object<ServerTaskRequests>({
      tools: s.optional(s.object({ call: s.optional(s.jsonObject) })),
    }),
  ),
})

/** `capabilities` of a client. */
export const clientCapabilities = s.object<ClientCapabilities>({
  elicitation: s.optional(elicitationCapability),
  sampling: s.optional(samplingCapability),
  roots: s.optional(listCapability),
  tasks: s.optional(clientTasks),
  extensions: s.optional(settings),
  experimental: s.optional(settings),
})

/** `capabilities` of a server. */
export const serverCapabilities = s.object<ServerCapabilities>({
  tools: s.optional(listCapability),
  resources: s.optional(resourcesCapability),
  prompts: s.optional(listCapability),
  completions: s.optional(s.jsonObject),
  logging: s.optional(s.jsonObject),
  tasks: s.optional(serverTasks),
  extensions: s.optional(settings),
  experimental: s.optional(settings),
})

/** Something beyond the core protocol that both sides have to know: its methods, and what it says about itself. */
export interface Extension<Context = unknown> {
  /** With a prefix, such as `com.example/audit`. */
  readonly id: string
  /** Told to the peer under `capabilities.extensions`. @defaultValue {} */
  readonly settings?: JsonObject | undefined
  /** Requests it answers, by method. */
  readonly methods?: { readonly [method: string]: ExtensionMethod<Context> } | undefined
}

/** Params have been decoded, not checked: they are the extension's own. */
export type ExtensionMethod<Context = unknown> = (
  params: JsonObject,
  context: Context,
) => Promise<JsonObject> | JsonObject
