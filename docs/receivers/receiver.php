<?php
// A receiver of webhooks with nothing but PHP 8. Run it with: WEBHOOK_SECRET=whsec_... php -S 0.0.0.0:3000 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** Whether one of the signatures is ours. After a rotation there are two, separated by a space. */
function isSigned(string $id, string $timestamp, string $signatures, string $body, string $key): bool
{
    if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1 || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('WEBHOOK_SECRET')), true);
if ($key === false || $key === '') {
    http_response_code(500);
    exit('Set WEBHOOK_SECRET to the signing secret of your subscription.');
}
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$body = (string) file_get_contents('php://input');
if (!isSigned($id, $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '', $body, $key)) {
    http_response_code(400);
    exit;
}
// In production: a unique column of your database. Store id and event in one transaction, and do the work afterwards.
$mark = (getenv('SEEN_FOLDER') ?: sys_get_temp_dir()) . '/webhook-' . hash('sha256', $id);
$isNew = @fopen($mark, 'x') !== false;
$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
file_put_contents('php://stdout', $isNew ? "accepted $id {$event['type']}\n" : "repeated $id\n");
http_response_code(204);
