import type { Command } from 'commander'

/** How questions of a server are answered. */
export function addQuestionFlags(command: Command): Command {
  return command
    .option('--answer <file>', 'JSON with the answer to every question, or a list of them in order')
    .option('--decline', 'decline every question')
    .option('--interactive', 'ask at the terminal, also with --json')
    .option('--sampling <how>', 'deny, or mock:FILE with what the model says')
}
