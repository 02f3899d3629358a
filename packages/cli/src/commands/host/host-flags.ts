import type { Command } from 'commander'

import { collect, type CommonFlags } from '../../flags.ts'
import type { ModelFlags } from '../../run/model-of.ts'

/** What `chat` and `run` both understand. */
export interface HostFlags extends CommonFlags, ModelFlags {
  readonly system?: string | undefined
  readonly rules?: string | undefined
  readonly audit?: string | undefined
}

/** Which model, and where. */
export function addModelFlags(command: Command): Command {
  return command
    .optionsGroup('The model:')
    .option(
      '--model <name>',
      'openai/NAME, anthropic/NAME, ollama/NAME, a name with --base-url, or scripted',
    )
    .option('--base-url <url>', 'the address of an endpoint, without /chat/completions')
    .option('--api <form>', 'chat, responses or messages: the API of the endpoint')
    .option('--images', 'the model takes images, which its name does not say')
    .option('--system <text>', 'instructions for the model (the system prompt)')
}

/** Which servers, and the folders they are told of. */
export function addServerFlags(command: Command): Command {
  return command
    .optionsGroup('The servers:')
    .option('--config <file>', 'a configuration file; may be repeated', collect)
    .option(
      '--input <pair>',
      'the value of an input of the configuration, id=value; may be repeated',
      collect,
    )
    .option('--root <folder>', 'a folder to tell servers about; may be repeated', collect)
    .option('--trust', "approve what a project's configuration starts or sends")
}

/** What the model may call, and where that is written down. */
export function addConsentFlags(command: Command, rules: string): Command {
  return command
    .optionsGroup('What it may do:')
    .option('--rules <file>', rules)
    .option('--audit <file>', 'the audit log (default: a file in the state folder)')
}
