import type { Thought } from './thought.ts'

/** Which thought it is, in one line. */
export function describeThought(thought: Thought): string {
  const { thoughtNumber, totalThoughts, isRevision, revisesThought } = thought
  const place = `${thoughtNumber}/${totalThoughts}`
  if (isRevision) return `Revision ${place}${of(' of thought', revisesThought)}`
  const { branchFromThought, branchId } = thought
  if (branchFromThought === undefined) return `Thought ${place}`
  return `Branch ${place} from thought ${branchFromThought}${of(', ID:', branchId)}`
}

function of(words: string, value: string | number | undefined): string {
  return value === undefined ? '' : `${words} ${value}`
}
