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

/** What a client's sampling can do besides text. */
export interface SamplingCapability {
  readonly tools?: JsonObject
  readonly context?: JsonObject
}

/** What resources can do besides being read. */
export interface ResourcesCapability extends ListCapability {
  readonly subscribe?: boolean
}

/** What can be done with tasks, and which requests may become one, in 2025-11-25. */
export interface TasksCapability<Requests> {
  readonly list?: JsonObject
  readonly cancel?: JsonObject
  readonly requests?: Requests
}

/** What a client runs as a task if asked to. */
export interface ClientTaskRequests {
  readonly sampling?: { readonly createMessage?: JsonObject }
  readonly elicitation?: { readonly create?: JsonObject }
}

/** What a server runs as a task if asked to. */
export interface ServerTaskRequests {
  readonly tools?: { readonly call?: JsonObject }
}

/** What a client can be asked. */
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

/** What a server offers. */
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
