import { Help, type Command, type Option } from 'commander'

const own = 'Options:'
/** Groups that most commands have: `parley help connection` lists them. */
const shared = new Set(['Which server:', 'Talking to it:', 'Output:'])
const defaults = new Help()

/** What a command has of its own. What most have in common is on a page of its own. */
export function layOutHelp(command: Command): Command {
  command.addHelpText('after', ({ command: shown }) =>
    shown.options.some(isShared) ? '\nFlags of most commands: parley help connection' : '',
  )
  return command.configureHelp({
    visibleOptions: (of) => defaults.visibleOptions(of).filter((option) => !isShared(option)),
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
      of.registeredArguments.filter(
        (argument) => argument.name() !== 'words' && argument.description !== '',
      ),
  })
}

function isShared({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading !== undefined && shared.has(helpGroupHeading)
}
