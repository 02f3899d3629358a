import type { Command } from 'commander'

const own = 'Options:'

/** What a command has of its own comes first, what all have in common after it. */
export function layOutHelp(command: Command): Command {
  return command.configureHelp({
    groupItems<T>(_: readonly T[], visible: readonly T[], groupOf: (item: T) => string) {
      const groups = new Map<string, T[]>([[own, []]])
      for (const item of visible) {
        const name = groupOf(item)
        groups.set(name, [...(groups.get(name) ?? []), item])
      }
      if (groups.get(own)?.length === 0) groups.delete(own)
      return groups
    },
    // The usage says it better.
    visibleArguments: (of) =>
      of.registeredArguments.filter((one) => one.name() !== 'words' && one.description !== ''),
  })
}
