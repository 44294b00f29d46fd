// Shows what the console sends to this browser. Its scope holds no page, so it answers no request.
const severities = { info: 'Info', warning: 'Warning', error: 'Error', critical: 'Critical' }

function read(data) {
  try {
    return data.json()
  } catch {
    return {}
  }
}

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const { title, severity, link, tag } = read(event.data)
  event.waitUntil(
    self.registration.showNotification(typeof title === 'string' && title !== '' ? title : 'Agency Console', {
      body: severities[severity] ?? '',
      tag: typeof tag === 'string' ? tag : undefined,
      icon: '/favicon.png',
      requireInteraction: severity === 'critical',
      data: { link },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { link } = event.notification.data ?? {}
  // Only screens of the console.
  const path = typeof link === 'string' && /^\/admin(?:[/?]|$)/.test(link) ? link : '/admin/alerts'
  event.waitUntil(self.clients.openWindow(new URL(path, self.location.origin).href))
})
