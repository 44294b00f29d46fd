import type { RequestContext } from '../../context.ts'
import type { Reply } from '../../platform/http/routes.ts'

type AwaitedCall = { ctx: RequestContext; reply: Reply; body: { id: string } }

/** Does the work of a call, and ends it when whoever asked has gone away meanwhile. */
export async function whileAwaited<Call extends AwaitedCall, Answer>(
  call: Call,
  abandon: (ctx: RequestContext, id: string) => Promise<void>,
  work: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  const { ctx, reply, body } = call
  const leave = () => {
    if (!reply.raw.writableEnded) void abandon(ctx, body.id)
  }
  reply.raw.once('close', leave)
  try {
    return await work(call)
  } finally {
    reply.raw.off('close', leave)
  }
}
