import {
  audio,
  type ContentBlock,
  embed,
  image,
  json,
  type JsonObject,
  jsonSchema,
  resourceLink,
  text,
} from '@parley/mcp'
import {
  type Context,
  createServer,
  definePrompt,
  defineResource,
  defineTool,
  message,
  type Middleware,
  rateLimit,
  type RequestContext,
  type Server,
  toolResult,
  type UriVariables,
} from '@parley/mcp/server'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

// These functions are compiled and never run: what they show is that they compile, or do not.
const server: Server = createServer({ name: 'types', version: '1' })
const summary = z.object({ pages: z.number(), failed: z.array(z.string()).default([]) })

describe('a tool', () => {
  test('gets the output type of its schema', () => {
    const define = (): void => {
      server.tool('none', {}, (args) => void expectTypeOf(args).toEqualTypeOf<{}>())
      server.tool(
        'zod',
        { inputSchema: z.object({ n: z.coerce.number<string>().default(1), s: z.string() }) },
        (args) => void expectTypeOf(args).toEqualTypeOf<{ n: number; s: string }>(),
      )
      server.tool('valibot', { inputSchema: v.object({ n: v.number() }) }, ({ n }) => {
        expectTypeOf(n).toEqualTypeOf<number>()
        return n * 2
      })
      server.tool('arktype', { inputSchema: type({ 'n?': 'number' }) }, ({ n }) => {
        expectTypeOf(n).toEqualTypeOf<number | undefined>()
      })
      server.tool('plain', { inputSchema: { type: 'object' } }, (args) => {
        expectTypeOf(args).toEqualTypeOf<JsonObject>()
      })
      const inferred = jsonSchema({
        type: 'object',
        properties: { n: { type: 'integer' }, s: { enum: ['a', 'b'] } },
        required: ['n'],
      })
      server.tool('inferred', { inputSchema: inferred }, ({ n, s }) => {
        expectTypeOf(n).toEqualTypeOf<number>()
        expectTypeOf(s).toEqualTypeOf<'a' | 'b' | undefined>()
      })
      server.tool('stated', { inputSchema: jsonSchema<{ n: number }>({}) }, ({ n }) => n)
      // @ts-expect-error a schema is an object
      server.tool('no_schema', { inputSchema: 'object' }, () => 'hello')
      // @ts-expect-error there is no such argument
      server.tool('misspelt', { inputSchema: z.object({ city: z.string() }) }, ({ town }) => town)
    }
    expectTypeOf(define).toBeFunction()
  })

  test('may return all that it says, and plain objects', () => {
    const define = (): void => {
      server.tool('text', {}, () => 'hello')
      server.tool('nothing', {}, async () => {})
      server.tool('null', {}, () => null)
      server.tool('undefined', {}, () => undefined)
      server.tool('number', {}, () => 0.5)
      server.tool('boolean', {}, async () => true)
      server.tool('blob', {}, () => new Blob([]))
      server.tool('block', {}, () => image('iVBORw0KGgo=', 'image/png'))
      server.tool('blocks', {}, () => [
        'a line',
        text('for the user', { annotations: { audience: ['user'] } }),
        audio(new Uint8Array(), 'audio/wav'),
        embed('report://1', '# Report', { mimeType: 'text/markdown' }),
        resourceLink({ uri: 'file:///log', name: 'log' }),
      ])
      server.tool('full', {}, () => ({
        content: [{ type: 'text', text: 'as other SDKs do' }],
        isError: false,
      }))
      server.tool('download', {}, (_, { signal }) => fetch('https://example.com', { signal }))
      server.tool('rows', {}, () => json({ rows: [1, 2, 3] }))
      server.tool('object', {}, () => ({ rows: [1, 2, 3] }))
      server.tool('nested', { inputSchema: z.object({ city: z.string() }) }, async ({ city }) => ({
        city,
        content: 'not a list',
      }))
      server.tool('interface', {}, (): Promise<Weather> => Promise.resolve({ celsius: 21 }))
      server.tool('later', {}, () => new Promise((resolve) => resolve('hello')))
      // @ts-expect-error a list is no object
      server.tool('list', {}, () => [{ celsius: 21 }])
      // @ts-expect-error nor is what JSON makes text of
      server.tool('date', {}, () => new Date())
      // @ts-expect-error nor what it makes nothing of
      server.tool('map', {}, async () => new Map([['celsius', 21]]))
      // @ts-expect-error nor a function
      server.tool('function', {}, () => () => 'hello')
      // @ts-expect-error a list as content is that of a full result
      server.tool('mistaken', {}, () => ({ content: [{ type: 'text', txt: 'hello' }] }))
      // @ts-expect-error bytes do not say what they are
      server.tool('bytes', {}, () => new Uint8Array())
    }
    expectTypeOf(define).toBeFunction()
  })

  test('is told of what it returns wrongly, there', () => {
    const define = (): void => {
      const blocks = [{ type: 'text', text: 'hello' }]
      server.tool(
        'widened',
        {},
        // @ts-expect-error the type of a block is no string, and the config is not to blame
        () => blocks,
      )
      defineTool(
        'list',
        { inputSchema: z.object({ n: z.number() }) },
        // @ts-expect-error nor that of a tool as a value
        ({ n }) => [{ n }],
      )
      server.tool(
        'shape',
        {
          // @ts-expect-error an object of schemas is no schema
          inputSchema: { city: z.string() },
        },
        () => 'hello',
      )
      defineTool(
        'shapes',
        {
          inputSchema: z.object({ city: z.string() }),
          // @ts-expect-error nor here
          outputSchema: { celsius: z.number() },
        },
        () => 'hello',
      )
      server.tool(
        'misspelt',
        {
          // @ts-expect-error here it is
          inputschema: z.object({}),
        },
        () => 'hello',
      )
      server.tool('asks', {}, async (_, { elicit }) => {
        await elicit({
          message: 'Which?',
          // @ts-expect-error it is requestedSchema, of a form
          schema: z.object({ name: z.string() }),
        })
      })
    }
    expectTypeOf(define).toBeFunction()
  })

  test('with an output schema returns what fits it', () => {
    const define = (): void => {
      server.tool('right', { outputSchema: summary }, () => ({ pages: 1 }))
      server.tool('both', { outputSchema: summary }, () =>
        toolResult({ structuredContent: { pages: 1 }, content: ['One page.'] }),
      )
      server.tool('primes', { outputSchema: z.array(z.number()) }, () => [2, 3, 5])
      server.tool('wrong', { outputSchema: summary }, () => ({
        // @ts-expect-error the compiler compares with outputSchema
        pages: 'three',
      }))
      // @ts-expect-error text is no summary
      server.tool('text', { outputSchema: summary }, () => 'three')
      server.tool('wrong_both', { outputSchema: summary }, () =>
        // @ts-expect-error inside a full result too
        toolResult({ structuredContent: { pages: 'three' } }),
      )
    }
    expectTypeOf(define).toBeFunction()
  })
})

describe('a resource', () => {
  test('gets the variables of its template', () => {
    expectTypeOf<UriVariables<'note://{id}'>>().toEqualTypeOf<{ readonly id: string }>()
    expectTypeOf<UriVariables<'a://{b,c}/{+d}{?e,f*}{#g}'>>().toEqualTypeOf<{
      readonly b: string
      readonly c: string
      readonly d: string
      readonly e?: string
      readonly f?: readonly string[]
      readonly g: string
    }>()
    expectTypeOf<UriVariables<'a://{/path*}{x:3}'>>().toEqualTypeOf<{
      readonly path: readonly string[]
      readonly x: string
    }>()
    const define = (): void => {
      server.resource(
        'note://{id}{?rev}',
        { complete: { id: () => [] } },
        ({ id, rev }, context) => {
          expectTypeOf(id).toEqualTypeOf<string>()
          expectTypeOf(rev).toEqualTypeOf<string | undefined>()
          expectTypeOf(context.uri).toEqualTypeOf<string>()
          return id
        },
      )
      // @ts-expect-error there is no such variable
      server.resource('note://{id}', {}, ({ name }) => name)
      // @ts-expect-error nor can it be completed
      server.resource('note://{id}', { complete: { name: () => [] } }, ({ id }) => id)
      // @ts-expect-error a number is no contents
      server.resource('note://1', {}, () => 1)
    }
    expectTypeOf(define).toBeFunction()
  })

  test('may return all that it says', () => {
    const define = (): void => {
      server.resource('note://1', {}, () => 'text')
      server.resource('note://1', {}, () => new Uint8Array())
      server.resource('note://1', {}, () => json({ a: 1 }))
      server.resource('note://1', {}, () => new Blob([]))
      server.resource('note://1', {}, (_, { signal }) => fetch('https://example.com', { signal }))
      server.resource('note://1', {}, () => ({ text: 'one', mimeType: 'text/markdown' }))
      server.resource('note://1', {}, () => [{ text: 'one' }, { uri: 'note://2', blob: 'AA==' }])
      server.resource('note://1', {}, async () => ({ contents: [{ text: 'one' }], ttlMs: 1 }))
      server.resource('note://1', {}, () => undefined)
      server.resource('note://1', {}, () => null)
      // @ts-expect-error contents have text or a blob
      server.resource('note://1', {}, () => ({ mimeType: 'text/plain' }))
      // @ts-expect-error each of them
      server.resource('note://1', {}, () => [{ text: 'one' }, {}])
    }
    expectTypeOf(define).toBeFunction()
  })
})

describe('a prompt', () => {
  test('gets its arguments and returns messages', () => {
    const define = (): void => {
      const argumentsSchema = z.object({ code: z.string(), style: z.enum(['a', 'b']).optional() })
      server.prompt('review', { argumentsSchema, complete: { code: () => [] } }, (args) => {
        expectTypeOf(args).toEqualTypeOf<{ code: string; style?: 'a' | 'b' | undefined }>()
        return ['hello', message('assistant', 'hi')]
      })
      // @ts-expect-error there is no such argument to complete
      server.prompt('review', { argumentsSchema, complete: { cod: () => [] } }, () => 'hello')
      const converts = z.object({
        n: z.coerce.number<string>(),
        m: z.coerce.number().optional(),
        s: z.enum(['a', 'b']).nullish(),
      })
      server.prompt(
        'converts',
        { argumentsSchema: converts, complete: { n: () => [] } },
        (args) => {
          expectTypeOf(args.n).toEqualTypeOf<number>()
          expectTypeOf(args.m).toEqualTypeOf<number | undefined>()
          return 'hello'
        },
      )
      server.prompt('untyped', { argumentsSchema: { type: 'object' } }, () => 'hello')
      // @ts-expect-error arguments are text
      server.prompt('number', { argumentsSchema: z.object({ n: z.number() }) }, () => 'hello')
      // @ts-expect-error none is an object
      definePrompt('object', { argumentsSchema: z.object({ o: z.object({}) }) }, () => 'hello')
      // @ts-expect-error a prompt has messages
      server.prompt('nothing', {}, () => {})
    }
    expectTypeOf(define).toBeFunction()
  })
})

interface Weather {
  readonly celsius: number
}

interface App {
  readonly user: { readonly id: string; readonly plan: 'free' | 'pro' }
}

describe('app', () => {
  const deleteNote = defineTool(
    'delete_note',
    { inputSchema: z.object({ id: z.string() }), scopes: ['notes:write'] },
    async ({ id }, context: Context<App>) => `${id} of ${context.app.user.id}`,
  )

  test('is typed everywhere', () => {
    const define = (): void => {
      const notes = createServer({
        name: 'notes',
        version: '1',
        features: [deleteNote],
        app: async ({ auth, http }): Promise<App & { tenant: string | undefined }> => ({
          user: { id: auth?.subject ?? '', plan: 'free' },
          tenant: http?.header('x-tenant'),
        }),
      })
      notes.tool('export', { visible: ({ app }) => app.user.plan === 'pro' }, (_, { app }) => {
        expectTypeOf(app.tenant).toEqualTypeOf<string | undefined>()
        return app.user.id
      })
      notes.resource(
        'a://{b}',
        { list: ({ app }) => (app.tenant ? [] : []) },
        (_, { app }) => app.user.id,
      )
      notes.prompt('ask', {}, (_, { app }) => app.user.id)
      notes.use(({ context }, next) => {
        expectTypeOf(context.app.user.plan).toEqualTypeOf<'free' | 'pro'>()
        return next()
      })
      notes.use(rateLimit({ burst: 1, perSecond: 1 }))
      notes.use('tools/call', rateLimit({ burst: 1, perSecond: 1 }))
      notes.use('tools/call', async ({ params }, next) => {
        expectTypeOf(params.arguments).toEqualTypeOf<JsonObject>()
        const outcome = await next()
        if (outcome.resultType !== 'complete') return outcome
        expectTypeOf(outcome.result.content).toEqualTypeOf<readonly ContentBlock[]>()
        return outcome
      })
      notes.mount('other', server)
    }
    expectTypeOf(define).toBeFunction()
  })

  test('is asked of the server by the features that need it', () => {
    const define = (): void => {
      const users = definePrompt('users', {}, (_, { app }: Context<App>) => app.user.id)
      const user = defineResource('user://1', {}, (_, { app }: Context<App>) => app.user.id)
      const plain = defineTool('plain', {}, () => 'plain')
      // @ts-expect-error a server whose `app` has no user cannot take a tool that needs one
      createServer({ name: 'x', version: '1' }).add(deleteNote)
      // @ts-expect-error nor a prompt
      createServer({ name: 'x', version: '1' }).add(users)
      // @ts-expect-error nor a resource
      createServer({ name: 'x', version: '1', app: () => ({ id: 1 }) }).add(user)
      // @ts-expect-error nor in its list of features
      createServer({ name: 'x', version: '1', features: [deleteNote], app: () => ({ id: 1 }) })
      createServer({ name: 'x', version: '1', app: () => ({ id: 1 }) }).add(plain)
    }
    expectTypeOf(define).toBeFunction()
  })

  test('comes with less where asking is impossible', () => {
    expectTypeOf<RequestContext>().not.toHaveProperty('elicit')
    expectTypeOf<RequestContext>().not.toHaveProperty('progress')
    expectTypeOf<Context>().toHaveProperty('elicit')
    expectTypeOf<Parameters<Middleware>[0]['context']>().toEqualTypeOf<RequestContext>()
  })
})
