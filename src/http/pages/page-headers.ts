import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What every page is sent with, besides what helmet does for all of the service. */
export const pageHeaders = (publicUrl: string): RequestHandler[] => [
  helmet.contentSecurityPolicy({ useDefaults: false, directives: policy(publicUrl) }),
  helmet.referrerPolicy({ policy: 'no-referrer' }),
  (_req, res, next) => {
    res.set({
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'Permissions-Policy': NOTHING,
    });
    next();
  },
];

/**
 * Nothing but our own styles, scripts and pages, and no markup made from text. A form may lead on to the eID, whose
 * login page can be anywhere on the web.
 */
const policy = (publicUrl: string) => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'connect-src': ["'self'"],
  // Designsystemet's icons are data URLs
  'img-src': ["'self'", 'data:'],
  'form-action': publicUrl.startsWith('https:') ? ["'self'", 'https:'] : ["'self'", 'http:', 'https:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
});

const NOTHING = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');
