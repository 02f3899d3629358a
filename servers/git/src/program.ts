import { enableFlag, pickExtras, UsageError, type ProgramOptions } from '@parley/server-kit/program'

import { createGitServer, extras } from './git.ts'

const options = {
  repository: {
    type: 'string',
    short: 'r',
    value: 'PATH',
    about: 'allow only this repository and those below it',
  },
  directory: {
    type: 'string',
    value: 'PATH',
    about: 'where clones and work trees are made; those there may be used, too',
  },
  'settings-file': {
    type: 'string',
    multiple: true,
    value: 'PATH',
    about: 'a file outside of a repository that its settings may include',
  },
  enable: enableFlag(extras),
  remote: {
    type: 'string',
    multiple: true,
    value: 'PREFIX',
    about: 'reach repositories whose address begins so, such as https://example.com/team/',
  },
  'credential-helper': {
    type: 'string',
    value: 'NAME',
    about: 'let git get passwords from there, such as osxkeychain',
  },
  'no-consent': { type: 'boolean', about: 'talk to those without asking the user each time' },
  verbose: { type: 'boolean', short: 'v', multiple: true, about: 'say more on standard error' },
} as const

/** The git server as a program. */
export const gitProgram: ProgramOptions<typeof options> = {
  name: 'git',
  version: '0.1.0',
  summary: 'A git repository, read and changed without running what is in it.',
  options,
  async create({ values, transport, log }) {
    const enable = pickExtras(values.enable, extras)
    if (transport !== 'stdio' && values.repository === undefined) {
      throw new UsageError(
        'Over the network, --repository must say which repository callers may use.',
      )
    }
    const server = await createGitServer({
      repository: values.repository,
      directory: values.directory,
      settingsFiles: values['settings-file'],
      enable,
      remotes: values.remote,
      askConsent: values['no-consent'] !== true,
      credentialHelper: values['credential-helper'],
    })
    if (values.verbose?.length) {
      server.use('tools/call', ({ params }, next) => {
        log(
          `${params.name} ${values.verbose?.length === 1 ? '' : JSON.stringify(params.arguments)}`,
        )
        return next()
      })
    }
    return server
  },
}
