// A receiver of webhooks with nothing but .NET 10. Run it with: WEBHOOK_SECRET=whsec_... PORT=3000 dotnet run receiver.cs
#:sdk Microsoft.NET.Sdk.Web
// Otherwise .NET prepares to compile it ahead of time, and asks NuGet for the compiler.
#:property PublishAot=false
using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? throw new InvalidOperationException("Set WEBHOOK_SECRET.");
var key = Convert.FromBase64String(secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret["whsec_".Length..] : secret);
var tolerance = TimeSpan.FromMinutes(5);
var seen = new ConcurrentDictionary<string, bool>(); // in production: a unique column of your database

// Whether one of the signatures is ours. After a rotation there are two, separated by a space.
bool IsSigned(IHeaderDictionary headers, byte[] body)
{
    var timestamp = headers["webhook-timestamp"].ToString();
    // Digits only: no sign, no blanks, whatever the culture of the machine.
    if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
    var age = Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - (double)seconds);
    if (age > tolerance.TotalSeconds) return false;
    // The bytes of the body as they came: text that was decoded and encoded again may differ.
    var content = Encoding.UTF8.GetBytes($"{headers["webhook-id"]}.{timestamp}.").Concat(body).ToArray();
    var expected = Encoding.ASCII.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, content)));
    return headers["webhook-signature"].ToString().Split(' ')
        .Any(signature => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(signature), expected));
}

var builder = WebApplication.CreateBuilder(args);
builder.Logging.ClearProviders();
var app = builder.Build();
app.MapPost("/{**path}", async (HttpRequest request) =>
{
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var body = buffer.ToArray();
    if (!IsSigned(request.Headers, body)) return Results.BadRequest();
    var id = request.Headers["webhook-id"].ToString();
    using var document = JsonDocument.Parse(body);
    // Store id and event in one transaction, and do the work afterwards.
    if (seen.TryAdd(id, true)) Console.WriteLine($"accepted {id} {document.RootElement.GetProperty("type").GetString()}");
    else Console.WriteLine($"repeated {id}");
    return Results.NoContent();
});
app.Run($"http://0.0.0.0:{Environment.GetEnvironmentVariable("PORT") ?? "3000"}");
