import type { Annotations } from '../schema/metadata.ts'
import type { Prompt } from '../schema/prompts.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeAnnotated } from './downgrade-annotations.ts'
import { missingMembers } from './downgrade-tools.ts'
import { omit } from './omit.ts'

/** A listed resource or template as a revision writes it. */
export function downgradeItem<T extends { readonly annotations?: Annotations }>(
  item: T,
  has: WireFeatures,
): T {
  return downgradeAnnotated(omit(item, missingMembers(has)), has)
}

export function downgradePrompt(prompt: Prompt, has: WireFeatures): Prompt {
  const plain = omit(prompt, missingMembers(has))
  if (has.titles || plain.arguments === undefined) return plain
  return { ...plain, arguments: plain.arguments.map((argument) => omit(argument, ['title'])) }
}
