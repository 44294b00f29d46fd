import type { MonitoredService, ServiceKey } from '@agency/contract/monitoring'

export const serviceNames: Record<ServiceKey, Pick<MonitoredService, 'name' | 'type'>> = {
  database: { name: 'Database', type: 'PostgreSQL' },
  jobs: { name: 'Background jobs', type: 'Queue' },
  cache: { name: 'Cache', type: 'Memory' },
  storage: { name: 'Storage', type: 'Disk' },
  network: { name: 'Network', type: 'Outbound connections' },
  event_loop: { name: 'Event loop', type: 'Server process' },
  mail: { name: 'Mail', type: 'SMTP' },
  stripe: { name: 'Stripe', type: 'Payment API' },
  cloudflare: { name: 'Cloudflare', type: 'Domain API' },
  webhooks: { name: 'Webhooks', type: 'Stripe events' },
  mirror: { name: 'Stripe mirror', type: 'Data copy' },
  backups: { name: 'Backups', type: 'Backup age' },
}
