import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import type { DeployTarget } from '../sites/index.ts'
import { hookProvider } from './providers/hook.ts'
import { pagesProvider } from './providers/pages.ts'
import type { DeployProvider } from './providers/provider.ts'

/** What only one deployment at a time may change; the same as the queries compute. */
export function laneOf({ site, provider }: DeployTarget): string | null {
  if (provider === null) return null
  return provider.kind === 'pages' ? `pages:${provider.project}` : `hook:${site.id}`
}

/** Throws why the site cannot be built now. */
export function providerOf(ctx: AppContext, { site, provider }: DeployTarget): DeployProvider {
  if (provider === null) throw new AppError('conflict', 'Choose a host under Configuration first')
  if (provider.kind === 'hook') return hookProvider(ctx, site, provider)
  if (!ctx.cloudflare) throw new AppError('not_connected', 'Cloudflare is not connected')
  return pagesProvider(ctx.cloudflare, provider)
}
