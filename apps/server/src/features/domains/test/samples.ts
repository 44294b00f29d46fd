import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import type { TestContext } from '../../../../test/context.ts'
import type { Caller } from '../../../../test/request.ts'

type Parts = { console: TestContext; sandbox: Sandbox; root: Caller }

/** One call of each that changes something, ready to succeed. */
export const domainSamples = (parts: () => Parts) => ({
  purgeCache: async () => {
    const { console: test, sandbox, root } = parts()
    if (!test.ctx.cloudflare) test.ctx.replace({ cloudflare: cloudflareAt(sandbox.cloudflare) })
    const { domains } = (await root.get('/cloudflare/domains?limit=1')).json()
    return { caller: root, path: `/cloudflare/zones/${domains[0].id}/purge`, body: { everything: true } }
  },
})
