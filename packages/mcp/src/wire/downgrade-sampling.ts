import { RpcError } from '../rpc/errors/rpc-error.ts'
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
} from '../schema/input/sampling.ts'
import { blocksOf } from '../schema/input/tool-use.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeAnnotated } from './downgrade-annotations.ts'
import { omit } from './omit.ts'

/** A sampling request as a revision can make it; throws where it cannot. */
export function downgradeSampling(
  params: CreateMessageRequestParams,
  has: WireFeatures,
): CreateMessageRequestParams {
  if (has.samplingTools) return params
  if (params.tools !== undefined) throw cannotSay('sampling with tools')
  const { toolChoice: _, ...rest } = params
  return { ...rest, messages: rest.messages.map((message) => downgradeMessage(message, has)) }
}

export function downgradeSamplingResult(
  result: CreateMessageResult,
  has: WireFeatures,
): CreateMessageResult {
  if (has.samplingTools) return result
  return { ...result, ...downgradeMessage(result, has) }
}

function downgradeMessage(message: SamplingMessage, has: WireFeatures): SamplingMessage {
  const { role } = message
  const [block, ...more] = blocksOf(message)
  if (block === undefined || more.length > 0)
    throw cannotSay('messages with several content blocks')
  if (block.type === 'tool_use' || block.type === 'tool_result') throw cannotSay('tool use')
  if (block.type === 'audio' && !has.audio) throw cannotSay('audio in sampling')
  const plain = has.itemMeta ? block : omit(block, ['_meta'])
  return { role, content: downgradeAnnotated(plain, has) }
}

function cannotSay(what: string): RpcError {
  return new RpcError('missing_client_capability', `the revision in use has no ${what}`, {
    data: { requiredCapabilities: { sampling: {} } },
  })
}
