import type { Thought } from './thought.ts'

/** Which thought it is, in one line. */
export function describeThought(thought: Thought): string {
  const { thoughtNumber, totalThoughts, isRevision, revisesThought } = thought
  const position = `${thoughtNumber}/${totalThoughts}`
  if (isRevision) return `Revision ${position}${of(' of thought', revisesThought)}`
  const { branchFromThought, branchId } = thought
  if (branchFromThought === undefined) return `Thought ${position}`
  return `Branch ${position} from thought ${branchFromThought}${of(', ID:', branchId)}`
}

function of(words: string, value: string | number | undefined): string {
  return value === undefined ? '' : `${words} ${value}`
}
