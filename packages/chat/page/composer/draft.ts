import type { TurnInput } from '@parley/host'
import type { ModelMessage } from '@parley/host/models'
import { create } from 'zustand'

import type { ContextMode } from '../../src/protocol/index.ts'

/** A picture that goes along. */
export interface DraftImage {
  readonly name: string
  readonly mimeType: string
  /** In base64. */
  readonly data: string
}

/** A prompt whose messages come first. */
export interface DraftPrompt {
  readonly name: string
  readonly messages: readonly ModelMessage[]
}

/** A resource that goes along. */
export interface DraftResource {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly size?: number | undefined
  /** The page chose it, since its server says that the model needs it. */
  readonly isSuggested?: boolean | undefined
}

/** What is about to be said. */
export interface Draft {
  readonly text: string
  readonly images: readonly DraftImage[]
  readonly resources: readonly DraftResource[]
  readonly prompts: readonly DraftPrompt[]
  readonly mode: ContextMode
}

const empty = { text: '', images: [], resources: [], prompts: [] } as const

/** Kept while other conversations are looked at. */
export const useDraft = create<Draft>(() => ({ ...empty, mode: 'auto' }))

/** Changes a part of it. */
export function changeDraft(change: Partial<Draft>): void {
  useDraft.setState(change)
}

/** A resource more, or the same one anew. */
export function attachToDraft(added: DraftResource): void {
  const { resources } = useDraft.getState()
  const others = resources.filter(({ server, uri }) => uri !== added.uri || server !== added.server)
  useDraft.setState({ resources: [...others, added] })
}

/** Everything but the mode. */
export function clearDraft(): void {
  useDraft.setState(empty)
}

/** Whether there is anything to say. */
export function isSayable({ text, images, resources, prompts }: Draft): boolean {
  return text.trim() !== '' || images.length + resources.length + prompts.length > 0
}

/** The draft as the engine takes it. */
export function inputOf({ text, images, resources, prompts }: Draft): TurnInput {
  const reported = text.trim()
  if (images.length + resources.length + prompts.length === 0) return reported
  const words = reported === '' ? [] : [{ type: 'text', text: reported } as const]
  const pictures = images.map(({ mimeType, data }) => ({ type: 'image', mimeType, data }) as const)
  const messages = prompts.flatMap((prompt) => prompt.messages)
  // The last message of a prompt is what is said, where nothing else is.
  const last = messages.at(-1)
  const content = [...words, ...pictures]
  const isPromptAlone = content.length === 0 && last?.role === 'user'
  const first = isPromptAlone ? messages.slice(0, -1) : messages
  return {
    content: isPromptAlone ? last.content : content,
    ...(resources.length > 0 && {
      attachments: resources.map(({ server, uri }) => ({ server, uri })),
    }),
    ...(first.length > 0 && { messages: first }),
  }
}
