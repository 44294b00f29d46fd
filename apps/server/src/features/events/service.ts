import type * as events from '@agency/contract/events'
import { type Call, streamed } from '../../platform/http/routes.ts'
import { createEventStreams } from './streams.ts'

type StreamCall = Pick<Call<typeof events.openEventStream>, 'ctx' | 'reply' | 'reauthenticate'>

/** Keeps the answer open and tells changes in it as long as the caller's key is good. */
export async function openStream({ ctx, reply, reauthenticate }: StreamCall): Promise<typeof streamed> {
  ctx.instance(createEventStreams).open(reply, ctx.actor, reauthenticate)
  return streamed
}
