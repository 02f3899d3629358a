import type { JsonObject } from '@parley/mcp'

import type { ModelContent, ModelMessage } from '../models/model.ts'

/** The user's message: text, or text with pictures, resources and the messages of a prompt. */
export type TurnInput =
  | string
  | {
      /** Text, pictures and sound, in order. */
      readonly content: readonly ModelContent[]
      /** Resources that a person chose. They are read now, and the model gets them as data. */
      readonly attachments?: readonly Attachment[] | undefined
      /** Messages that come first, such as those of a prompt, in their roles. */
      readonly messages?: readonly ModelMessage[] | undefined
      /** Context from apps of servers. The model gets it as data. */
      readonly apps?: readonly AppNote[] | undefined
    }

/** Context from an app of a server, sent by `ui/update-model-context`. */
export interface AppNote {
  /** The server that the app is of, as the configuration names it. */
  readonly server: string
  /** Text, pictures and sound, in order. */
  readonly content?: readonly ModelContent[] | undefined
  /** The same as JSON. */
  readonly structuredContent?: JsonObject | undefined
}

/** A resource by its server and URI. */
export interface Attachment {
  /** The server, as the configuration names it. */
  readonly server: string
  /** The URI of the resource. */
  readonly uri: string
}
