import { expect, test } from '@jest/globals';
import { isView } from '@product-passport/openapi';

const counts = (headers: Record<string, string>) => isView('GET', (name) => headers[name] ?? '');
const isCounted = (userAgent: string) => counts({ 'user-agent': userAgent });

const mozilla = 'Mozilla/5.0 (Linux; Android 13; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko)';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (compatible; Googlebot/2.1)',
  'Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) AppleWebKit/537.36',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0)',
  'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)',
  'GoogleOther',
  'facebookexternalhit/1.1;line-poker/1.0',
  'meta-externalagent/1.1',
  'WhatsApp/2.23.20.0 A',
  'Viber/20.0',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'http.rb/5.1.0 (Mastodon/4.1.2; +https://mastodon.social/)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
  'Site24x7',
  'ELB-HealthChecker/2.0',
  'kube-probe/1.27',
  'Blackbox Exporter/0.24.0',
  `${mozilla} Chrome/119.0 Mobile Safari/537.36 Chrome-Lighthouse`,
])('a request of the robot %s does not count', (userAgent) => expect(isCounted(userAgent)).toBe(false));

test.each([
  '',
  'curl/8.5.0',
  'node',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'python-requests/2.31.0',
  'okhttp/4.12.0',
  'Go-http-client/2.0',
  'Java/17.0.9',
  'Amazon CloudFront',
  'product-passport-verify',
  'product-passport-sdk/0.1.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
  `${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/443.0.0.32.109;FBDV/iPhone14,5;FBLC/de_DE]`,
  `${mozilla} Version/4.0 Chrome/119.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/443.0.0.23.229;]`,
  `${mozilla} Version/4.0 Chrome/142.0 Mobile Safari/537.36 MetaIAB Facebook`,
  `${iphone} Mobile/15E148 Instagram 309.1.1.28.108 (iPhone14,5; iOS 17_1_2; de_DE; scale=3.00)`,
  `${iphone} Mobile/15E148 Safari Line/13.19.0`,
  `${iphone} Mobile/15E148 MicroMessenger/8.0.43(0x18002b2d) NetType/WIFI Language/zh_CN`,
  `${iphone} Mobile/15E148 [LinkedInApp]/9.29.2413`,
  `${iphone} Mobile/15E148 [Pinterest/iOS]`,
  `${iphone} Mobile/15E148 Snapchat/12.60.0.30 (like Safari/8617.1.17.10.9, panda)`,
  `${mozilla} Version/4.0 Chrome/66.0 Safari/537.36 Viber/11.9.5.8`,
  'Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0 Mobile',
  'Mozilla/5.0 (Linux; U; Android 7.0; en-us; M bot 54) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0 Mobile',
  'Mozilla/5.0 (Linux; Android 15; CPH2581 Build/AP3A.240617.008; wv) AppleWebKit/537.36 Chrome/141.0 Mobile',
  'Mozilla/5.0 (Linux; Android 8.1.0; Fever_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/95.0 Safari/537.36',
  'Mozilla/5.0 (Linux; U; Android 4.3; en-US; ViewSonic A8+) AppleWebKit/534.30 Mobile Safari/534.30',
])('a request of the program %j counts', (userAgent) => expect(isCounted(userAgent)).toBe(true));

test('a request with Range does not count, even if it asks for the whole page', () => {
  expect(['bytes=0-', 'bytes=0-99', 'x'].filter((range) => counts({ range }))).toEqual([]);
});

test.each(['Android', '(Android;', 'Android; aa-aa;', 'a', 'bo', '\u{1f9e6}'])(
  'of 100 kB of %j only the start is read',
  (text) => {
    const long = text.repeat(100_000 / text.length);
    expect(isCounted(`${long} Googlebot/2.1`)).toBe(true);
    expect(isCounted(`Googlebot/2.1 ${long}`)).toBe(false);
  },
);
