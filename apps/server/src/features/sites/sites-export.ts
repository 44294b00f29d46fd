import type { Site } from '@agency/contract/types'
import { defineExport } from '../../platform/export-kind.ts'
import { countAll } from '../../platform/keyset.ts'
import { readSites } from './queries/export.ts'
import { siteList } from './queries/list.ts'

/** All sites that match, as the screen lists them. */
export const sitesExport = defineExport<'sites', Site>({
  kind: 'sites',
  permission: 'sites.read',
  title: 'Sites',
  fileName: 'sites',
  columns: [
    { title: 'Site', name: 'site_name', type: 'text', width: 1.6, value: (site) => site.site_name },
    { title: 'Domain', name: 'domain', type: 'text', width: 1.8, value: (site) => site.domain },
    { title: 'Subdomain', name: 'subdomain', type: 'text', width: 0, value: (site) => site.subdomain },
    { title: 'Customer', name: 'customer_name', type: 'text', width: 1.6, value: (site) => site.customer_name },
    { title: 'Customer ID', name: 'customer_id', type: 'text', width: 0, value: (site) => site.customer_id },
    { title: 'Status', name: 'status', type: 'text', value: (site) => site.status },
    { title: 'Status Reason', name: 'status_reason', type: 'text', width: 0, value: (site) => site.status_reason },
    { title: 'Health', name: 'health_status', type: 'text', value: (site) => site.health_status },
    {
      ...{ title: 'Health Checked', name: 'health_checked_at', type: 'instant', width: 0 },
      value: (site) => site.health_checked_at,
    },
    { title: 'SSL', name: 'ssl_status', type: 'text', value: (site) => site.ssl_status },
    { title: 'SSL Expires', name: 'ssl_expires_at', type: 'instant', width: 1.2, value: (site) => site.ssl_expires_at },
    {
      ...{ title: 'Performance Score', name: 'performance_score', type: 'number' },
      value: (site) => site.performance_score,
    },
    { title: 'Storage (MB)', name: 'storage_used', type: 'number', width: 0.8, value: (site) => site.storage_used },
    {
      title: 'Bandwidth (GB)',
      name: 'bandwidth_used',
      type: 'number',
      width: 0.9,
      value: (site) => site.bandwidth_used,
    },
    { title: 'Deployment URL', name: 'deployment_url', type: 'text', width: 0, value: (site) => site.deployment_url },
    { title: 'Template', name: 'template_type', type: 'text', width: 0, value: (site) => site.template_type },
    {
      ...{ title: 'Last Deployment', name: 'last_deployment', type: 'instant', width: 1.2 },
      value: (site) => site.last_deployment,
    },
    { title: 'Created', name: 'created_at', type: 'instant', width: 0, value: (site) => site.created_at },
    { title: 'Site ID', name: 'id', type: 'text', width: 0, value: (site) => site.id },
  ],
  rows: (ctx, filters) => readSites(ctx.pool, filters),
  total: (ctx, filters) => countAll(ctx.pool, siteList(filters)),
})
