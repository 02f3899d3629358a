/**
 * An input request of a handler (a form, a URL, sampling or roots), prepared for sending, and how its response is read and checked.
 *
 * The same object is sent now (`ask-now.ts`, revisions with sessions) or ends a round (`input-rounds.ts`, 2026-07-28).
 */

import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import { describeProblem, type Check } from '../../schema/check.ts'
import {
  elicitParams,
  elicitResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type ElicitURLResult,
  type ElicitWireResult,
} from '../../schema/input/elicitation.ts'
import {
  type InputRequest,
  listRootsResult,
  type ListRootsResult,
  type Root,
} from '../../schema/input/input.ts'
import {
  createMessageParams,
  createMessageResult,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  toolUseProblem,
} from '../../schema/input/sampling.ts'
import type { Schema } from '../../schema/standard-schema.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeInputResponse } from '../../wire/downgrade-input.ts'
import {
  describeIssues,
  invalidSchema,
  prepareSchema,
  type PreparedSchema,
} from '../user-schema.ts'
import type { InputRequest as NamedRequest } from './input-required.ts'
import { prepareLink } from './url-elicitation.ts'

/** An input request, and how its answer is read; the same whether it is sent now or ends a round. */
export interface InputRequestForm<out T = unknown> {
  readonly method: InputRequest['method']
  readonly params: object | undefined
  /** The capabilities that the client must have declared. */
  readonly requires: ClientCapabilities
  /** A handler that runs again must ask for the same kind; text and form may differ. */
  readonly kind: string
  read(answer: unknown, codec: Codec): MaybePromise<ReadResponse<T>>
}

/** An answer that fits, or why it does not. */
export type ReadResponse<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: string }

/** The input request that a handler returned. Throws for an invalid one. */
export function inputRequestOf(request: NamedRequest<unknown>): InputRequestForm {
  switch (request.method) {
    case 'elicitation/create':
      return request.params.mode === 'url'
        ? requestUrl(request.params)
        : requestForm(request.params)
    case 'sampling/createMessage':
      return askModel(request.params)
    case 'roots/list':
      return requestRoots()
  }
}

/** A form, whose accepted content is checked here too. */
export function requestForm(
  params: ElicitRequestFormParams,
): InputRequestForm<ElicitResult<unknown>> {
  const form = prepareForm(params.requestedSchema)
  const inputRequest = { message: params.message, requestedSchema: form.json }
  reject(elicitParams(inputRequest), 'elicit: requestedSchema')
  return {
    method: 'elicitation/create',
    params: inputRequest,
    requires: { elicitation: {} },
    kind: 'form',
    read(answer) {
      const problem = problemOf(elicitResult, answer)
      if (problem !== undefined) return { problem }
      const { action, content = {} } = answer as ElicitWireResult // just checked
      if (action !== 'accept') return { value: { action } }
      const checked = form.validate(content)
      return isPromise(checked) ? checked.then(toInputResponse) : toInputResponse(checked)
    },
  }
}

function toInputResponse(
  checked: Awaited<ReturnType<PreparedSchema['validate']>>,
): ReadResponse<ElicitResult<unknown>> {
  return checked.issues
    ? { problem: describeIssues(checked.issues) }
    : { value: { action: 'accept', content: checked.value } }
}

/** A URL to open; the answer does not say whether the user finished there. */
export function requestUrl(link: ElicitRequestURLParams): InputRequestForm<ElicitURLResult> {
  const params = prepareLink(link, 'elicit')
  const { elicitationId } = params
  return {
    method: 'elicitation/create',
    params,
    requires: { elicitation: { url: {} } },
    kind: 'link',
    read(answer, { has }) {
      const problem = problemOf(elicitResult, answer)
      if (problem !== undefined) return { problem }
      const { action } = answer as ElicitWireResult // just checked
      return { value: { action, ...(has.elicitationIds && { elicitationId }) } }
    },
  }
}

/** A sampling request. */
export function askModel(
  params: CreateMessageRequestParams,
): InputRequestForm<CreateMessageResult> {
  reject(createMessageParams(params) ?? toolUseProblem(params.messages), 'sample')
  const usesTools = (params.tools ?? params.toolChoice) !== undefined
  return {
    method: 'sampling/createMessage',
    params,
    requires: { sampling: usesTools ? { tools: {} } : {} },
    kind: 'sample',
    read(answer, codec) {
      const problem = problemOf(createMessageResult, answer)
      if (problem !== undefined) return { problem }
      const value = answer as CreateMessageResult // just checked
      try {
        encodeInputResponse('sampling/createMessage', value, codec.has)
        return { value }
      } catch (error) {
        // A later revision allows this content, this one does not.
        if (isRpcError(error)) return { problem: error.message }
        throw error
      }
    },
  }
}

/** A request for the client's roots. */
export function requestRoots(): InputRequestForm<readonly Root[]> {
  return {
    method: 'roots/list',
    params: undefined,
    requires: { roots: {} },
    kind: 'roots',
    read(answer) {
      const problem = problemOf(listRootsResult, answer)
      return problem === undefined
        ? { value: (answer as ListRootsResult).roots } // just checked
        : { problem }
    },
  }
}

const forms = new WeakMap<object, PreparedSchema>()

function prepareForm(schema: Schema): PreparedSchema {
  const existing = forms.get(schema)
  if (existing !== undefined) return existing
  const form = prepareSchema(schema, {
    feature: 'elicit: requestedSchema',
    io: 'input',
  })
  forms.set(schema, form)
  return form
}

function problemOf<T>(check: Check<T>, answer: unknown): string | undefined {
  const problem = check(answer)
  return problem && describeProblem(problem)
}

function reject(problem: ReturnType<Check<unknown>>, feature: string): void {
  if (problem !== undefined) throw invalidSchema(feature, describeProblem(problem))
}
