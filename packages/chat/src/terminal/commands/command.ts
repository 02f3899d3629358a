import type { Attachment, ContextOptions } from '@parley/host'
import type { ModelMessage } from '@parley/host/models'

import type { Chat } from '../../chat.ts'
import type { ChatSetup } from '../../core/setup.ts'
import type { ConversationSummary } from '../../store/conversation-store.ts'
import type { Line } from '../line.ts'

/** What commands may do. */
export interface CommandContext {
  readonly chat: Chat
  /** Offers to choose servers, folders and a model. */
  readonly setup: ChatSetup | undefined
  /** Aborted when the chat is left. */
  readonly signal: AbortSignal
  /** Where files go. */
  readonly cwd: string
  readonly conversation: string | undefined
  readonly isRunning: boolean
  readonly model: string
  print(lines: readonly Line[]): void
  setModel(model: string): Promise<void>
  setMode(mode: ContextOptions['mode']): void
  attach(more: {
    readonly attachment?: Attachment
    readonly messages?: readonly ModelMessage[]
  }): void
  begin(): void
  open(id: string): Promise<void>
  /** The conversations that were listed last. */
  readonly listed: readonly ConversationSummary[]
  setListed(listed: readonly ConversationSummary[]): void
  leave(): void
}

/** A command that begins with a slash. */
export interface Command {
  readonly usage: string
  readonly about: string
  /** May be used while a turn runs. @defaultValue false */
  readonly isSafe?: boolean
  run(words: readonly string[], context: CommandContext): Promise<void> | void
}
