import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** The models to choose from, or another one for this conversation. */
export async function model(words: readonly string[], context: CommandContext): Promise<void> {
  const { chat, setup, print } = context
  const [name, baseUrl] = words
  if (name === undefined) return print(await listed(context))
  if (!chat.models.includes(name) || baseUrl !== undefined) {
    if (setup === undefined) {
      throw new Error(`there is no model ${name}; there is: ${chat.models.join(', ')}`)
    }
    const found = baseUrl === undefined ? await setup.findModels() : []
    const models = [...new Set([...chat.models, ...found.map((item) => item.name), 'scripted'])]
    // A provider and a name may be right without being listed.
    if (baseUrl === undefined && !models.includes(name) && !name.includes('/')) {
      throw new Error(
        `there is no model ${name}; there is: ${models.join(', ')}. Another one: /model PROVIDER/NAME, or /model NAME ADDRESS`,
      )
    }
    await setup.useModel(
      name,
      baseUrl ?? found.find((candidate) => candidate.name === name)?.baseUrl,
    )
  }
  await context.setModel(name)
  print([line(`${flat(name)} answers from now on`, 'dim')])
}

async function listed({ chat, setup, model: current }: CommandContext): Promise<readonly Line[]> {
  const found = (await setup?.findModels()) ?? []
  const others = found.filter(({ name }) => !chat.models.includes(name))
  return [
    ...chat.models.map((item) => line(`${item === current ? '▸' : ' '} ${flat(item)}`)),
    ...others.map(({ name, where }): Line => [
      { text: `  ${flat(name)}`, look: 'plain' },
      { text: `  ${flat(where)}`, look: 'dim' },
    ]),
    ...(setup === undefined ? [] : [line('/model NAME [ADDRESS] uses one', 'dim')]),
  ]
}
