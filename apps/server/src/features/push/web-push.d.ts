/** As much of it as is used: https://github.com/web-push-libs/web-push#api-reference */
declare module 'web-push' {
  export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }
  export type Options = {
    vapidDetails: { subject: string; publicKey: string; privateKey: string }
    TTL: number
    urgency: 'very-low' | 'low' | 'normal' | 'high'
    topic?: string
    contentEncoding: 'aes128gcm'
  }
  export type Details = { method: 'POST'; endpoint: string; headers: Record<string, string | number>; body: Buffer }
  const webPush: {
    generateVAPIDKeys(): { publicKey: string; privateKey: string }
    generateRequestDetails(subscription: Subscription, payload: string, options: Options): Details
  }
  export default webPush
}
